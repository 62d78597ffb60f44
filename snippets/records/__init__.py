"""Runs that take too long for a page: what measures them and writes docs/data."""
