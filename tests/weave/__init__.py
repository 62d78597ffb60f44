"""Tests of what ties the pages to the code."""
