"""Tests of weave, which ties pages to code."""
