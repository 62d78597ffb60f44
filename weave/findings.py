"""What is asked of a page, what came of it, and what was found to be untrue."""

import ast
import builtins
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weave.errors import WeaveError, WeaveErrors
from weave.page import Fence


@dataclass(frozen=True)
class Question:
    """An expression that a page states, to be evaluated once its blocks have run.

    `answer` turns the value into what can be compared, in the process that evaluates
    it: it's called with the value, the expression and the names that the expression
    could use.
    """

    expression: str
    line: int
    answer: Callable[[Any, str, dict[str, Any]], Any]


@dataclass
class Results:
    """What came of running a page.

    `outputs` has what blocks printed, by line, and `answers` what expressions gave, by
    line and expression; `failures` has messages in the place of what was to come, and
    `ran` what sessions printed. `waiting` has the library that each part waits for.
    """

    outputs: dict[int, str] = field(default_factory=dict)
    answers: dict[tuple[int, str], Any] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    ran: dict[int, str] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)

    def add(self, other: "Results") -> None:
        """Add what came of running another part of the page."""
        self.outputs |= other.outputs
        self.answers |= other.answers
        self.ran |= other.ran
        self.failures |= other.failures
        self.waiting += other.waiting


def is_hard_coded(expression: str) -> bool:
    """Tell whether an expression names nothing: it cannot be wrong.

    What Python itself has, such as `len`, and what the expression binds don't count.
    Invalid syntax isn't hard-coded: evaluating it reports the mistake.
    """
    try:
        nodes = list(ast.walk(ast.parse(expression, mode="eval")))
    except (SyntaxError, ValueError):
        return False
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return {name.id for name in names} <= bound.union(dir(builtins))


class Correction(WeaveError):
    """What a file should say from one place to another; places are (line, column).

    Lines count from 1. A correction without an `end` is the whole file.
    """

    path: Path

    def __init__(
        self,
        path: Path,
        start: tuple[int, int],
        end: tuple[int, int] | None,
        text: str,
        message: str,
    ) -> None:
        self.start, self.end, self.text = start, end, text
        hint = "run 'uv run poe update' if the code is right"
        super().__init__(f"{message}; {hint}", path, start[0])


Finding = WeaveError


@dataclass
class Report:
    """What is wrong: what `update` can fix, and what only an author can."""

    corrections: list[Correction] = field(default_factory=list)
    errors: list[WeaveError] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)  # as in Results

    def add(self, found: Iterable[Finding]) -> None:
        """Add what a check finds, up to an error after which it can say no more."""
        try:
            for finding in found:
                if isinstance(finding, Correction):
                    self.corrections.append(finding)
                else:
                    self.errors.append(finding)
        except WeaveError as error:
            self.errors.append(error)

    def raise_if_any(self) -> None:
        """Raise WeaveErrors unless all is true."""
        if all_errors := [*self.corrections, *self.errors]:
            raise WeaveErrors(sorted(all_errors, key=lambda e: (str(e.path), e.line)))


def apply(text_of: Callable[[Path], str], made: list[Correction]) -> dict[Path, str]:
    """Return each file's text after its corrections, given the text that was checked."""
    texts: dict[Path, str] = {}
    # From the end of a file on, so that what stands above keeps its place
    for each in sorted(made, key=lambda correction: correction.start, reverse=True):
        text = texts.get(each.path) or text_of(each.path)
        if each.end:
            start, end = (_offset(text, place) for place in (each.start, each.end))
            texts[each.path] = text[:start] + each.text + text[end:]
        else:
            texts[each.path] = each.text
    return dict(sorted(texts.items()))


def _offset(text: str, place: tuple[int, int]) -> int:
    row, column = place
    return len("".join(text.splitlines(keepends=True)[: row - 1])) + column


def body(fence: Fence, path: Path, text: str, message: str) -> Correction:
    """Return a correction of what stands between the fences of a block."""
    return Correction(path, (fence.line + 1, 0), (fence.end, 0), text, message)


def first_new(before: str, after: str) -> str:
    """Return the first line of a text that the other does not have."""
    old = before.splitlines()
    new = (line.strip() for line in after.splitlines() if line not in old)
    return next(new, "(fewer lines)")


def short(text: str) -> str:
    """Quote a text in a message, cut where it is long."""
    return repr(text if len(text) <= 80 else f"{text[:77]}…")
