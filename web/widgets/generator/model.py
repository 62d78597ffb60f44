"""Names that the trained model invents, and the line of source that picks each letter."""

from __future__ import annotations

import inspect
from typing import TypedDict

from microgpt import sample
from widgets.grow.model import Grow, grow

TEMPERATURE = 0.5  # of `sample`, unless one asks for another


class LineOfSource(TypedDict):
    """A line of the package; the page adds where it is explained."""

    path: str
    number: int
    text: str


class Generator(Grow):
    """Names as `sample` draws them with seeds in a row."""

    source_line: LineOfSource


def generator(seed: float) -> Generator:
    """Invent a few names."""
    grown = grow("", TEMPERATURE, seed)
    return Generator(**grown, source_line=picking_line())


def picking_line() -> LineOfSource:
    """Return the one line of `sample` that draws."""
    lines, first = inspect.getsourcelines(sample)
    ((number, text),) = (
        (number, line.strip())
        for number, line in enumerate(lines, first)
        if "rng." in line and "def " not in line
    )
    path = f"{sample.__module__.replace('.', '/')}.py"
    return LineOfSource(path=path, number=number, text=text)
