"""Measurements that take too long for a page; they are written to docs/data."""
