"""The count table after some of the names: every cell, and names that fill it."""


def count_table() -> None:
    """Return nothing: the browser has the names, and counts their pairs itself."""
