"""Widgets: what each shows, computed by the package; beside it, how it looks."""
