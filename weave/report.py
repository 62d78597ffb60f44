"""What is found to be untrue: what `update` can mend, and what only an author can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weave.errors import WeaveError, WeaveErrors


@dataclass(frozen=True)
class Correction:
    """What a file should say from one place to another; places are (line, column).

    Lines count from 1. A correction without an `end` is the whole file.
    """

    path: Path
    start: tuple[int, int]
    end: tuple[int, int] | None
    text: str
    message: str

    def error(self) -> WeaveError:
        """Return what is not true, as an error."""
        hint = "run 'python -m weave update' if the code is right"
        return WeaveError(f"{self.message}; {hint}", self.path, self.start[0])


@dataclass
class Report:
    """What is wrong: what `update` can mend, and what only an author can."""

    corrections: list[Correction]
    errors: list[WeaveError]

    def raise_if_any(self) -> None:
        """Raise WeaveErrors unless all is true."""
        if all_errors := [*(c.error() for c in self.corrections), *self.errors]:
            key = lambda e: (str(e.path), e.line)
            raise WeaveErrors(sorted(all_errors, key=key))


def whole_file(root: Path, path: Path, text: str, message: str) -> Iterator[Correction]:
    """Yield a correction of a file that does not say just this."""
    file = root / path
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        yield Correction(path, (1, 0), None, text, message)


def apply(root: Path, made: list[Correction]) -> dict[Path, tuple[str, str]]:
    """Return the text of each file before and after its corrections; write nothing."""
    texts: dict[Path, tuple[str, str]] = {}
    for path in sorted({correction.path for correction in made}):
        before = (root / path).read_text("utf-8") if (root / path).exists() else ""
        lines = before.splitlines(keepends=True)
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line))
        after = before
        mine = [correction for correction in made if correction.path == path]
        for correction in sorted(mine, key=lambda c: c.start, reverse=True):
            row, column = correction.start
            first = starts[min(row, len(starts)) - 1] + column
            if correction.end is None:
                after = correction.text
                continue
            row, column = correction.end
            last = starts[min(row, len(starts)) - 1] + column
            after = after[:first] + correction.text + after[last:]
        texts[path] = (before, after)
    return texts


def short(text: str) -> str:
    """Quote a text in a message, cut where it is long."""
    return repr(text if len(text) <= 80 else f"{text[:77]}…")
