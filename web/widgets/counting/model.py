"""What `train_step` does to the count table with a name, line by line."""

from typing import TypedDict

from snippets.step0 import count_pairs, train_step
from widgets._names import document
from widgets._tracing import Source, SourceFunction


class CountingLine(TypedDict):
    """A line that runs, and those that wait for it."""

    line: int
    waiting: list[int]


class Counting(TypedDict):
    """The lines of the program that count a name.

    `lines` has the line that scores the name, the one that counts a pair, and the last.
    """

    file: str
    functions: list[SourceFunction]
    lines: list[CountingLine]


def counting(name: str) -> Counting:
    """Return the lines; the browser counts."""
    document(name)  # refuses what is no name
    step, pairs = Source(train_step.__code__), Source(count_pairs.__code__)
    call = step.line("count_pairs(")
    return Counting(
        file=step.file,
        functions=[step.listing(), pairs.listing()],
        lines=[
            CountingLine(line=step.line("loss = "), waiting=[]),
            CountingLine(line=pairs.line("counts["), waiting=[call]),
            CountingLine(line=step.line("return "), waiting=[]),
        ],
    )
