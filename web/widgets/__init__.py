"""Widgets: a folder each, with what it computes in Python and how it looks."""
