"""What `train_step` does to the count table with a name, line by line."""

from typing import TypedDict

from snippets.step0 import count_pairs, train_step
from widgets._counting import CountModel, count_models
from widgets._names import document, token_names
from widgets._tracing import Source, SourceFunction


class CountingLine(TypedDict):
    """A line that runs, and those that wait for it."""

    line: int
    waiting: list[int]


class Counting(TypedDict):
    """Models that a name can be taught to, and the lines of the program that do it.

    `lines` has the line that scores the name, the one that counts a pair, and the last.
    """

    tokens: list[str]
    models: list[CountModel]
    file: str
    functions: list[SourceFunction]
    lines: list[CountingLine]


def counting(name: str) -> Counting:
    """Return what the browser counts a name with."""
    document(name)  # refuses what is no name
    step, pairs = Source(train_step.__code__), Source(count_pairs.__code__)
    call = step.line("count_pairs(")
    return Counting(
        tokens=token_names(),
        models=count_models(),
        file=step.file,
        functions=[step.listing(), pairs.listing()],
        lines=[
            CountingLine(line=step.line("loss = "), waiting=[]),
            CountingLine(line=pairs.line("counts["), waiting=[call]),
            CountingLine(line=step.line("return "), waiting=[]),
        ],
    )
