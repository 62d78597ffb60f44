"""The tables of a page, as its author wrote them."""

import re
from collections.abc import Iterator

from weave.text import DATA


def tables(text: str) -> Iterator[list[list[str]]]:
    """Yield each table of a page: its rows of cells, the ruler left out."""
    for table in re.findall(r"(?:^ *\|.*\n)+", text, re.MULTILINE):
        rows = [
            [c.strip() for c in row.strip("| ").split("|")]
            for row in table.splitlines()
        ]
        yield [rows[0], *rows[2:]]


def label(cell: str) -> str:
    """Return what a cell says, without links and marks."""
    plain = DATA.sub(r"\2", cell)
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", plain).replace("`", "")
