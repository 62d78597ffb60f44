"""What checks find: corrections, which `update` writes, and errors for an author."""

from collections.abc import Callable, Iterable
from pathlib import Path

from weave.errors import WeaveError, WeaveErrors

Position = tuple[int, int]  # line from 1, column from 0


class Correction(WeaveError):
    """An error that `update` fixes by replacing part of a file."""

    path: Path

    def __init__(
        self, path: Path, start: Position, end: Position | None, text: str, problem: str
    ) -> None:
        """Store what to replace: `start` to `end`, or the whole file if `end` is None.

        The problem says what is wrong; the message adds how to correct it.
        """
        self.start, self.end, self.text = start, end, text
        hint = "run 'uv run poe update' if the code is right"
        super().__init__(f"{problem}; {hint}", path, start[0])


class Report:
    """Everything that checks found.

    Attributes:
        corrections: What `update` can fix.
        errors: What only an author can fix.
        missing_libraries: As in `RunResults`.
    """

    def __init__(self, findings: Iterable[WeaveError] = ()) -> None:
        self.corrections: list[Correction] = []
        self.errors: list[WeaveError] = []
        self.missing_libraries: list[str] = []
        self.add(findings)

    def add(self, findings: Iterable[WeaveError]) -> None:
        """Add the findings of a check, and the error that ends the check, if one does."""
        try:
            for finding in findings:
                if isinstance(finding, Correction):
                    self.corrections.append(finding)
                else:
                    self.errors.append(finding)
        except WeaveError as error:
            self.errors.append(error)

    def raise_if_any_findings(self) -> None:
        """Raise WeaveErrors, sorted by file and line, if there is any finding."""
        if all_errors := [*self.corrections, *self.errors]:
            raise WeaveErrors(sorted(all_errors, key=lambda e: (str(e.path), e.line)))


def corrected_texts(
    corrections: list[Correction], read_text: Callable[[Path], str]
) -> dict[Path, str]:
    """Return the corrected text of each file; `read_text` returns the checked text."""
    texts: dict[Path, str] = {}
    # From the end of a file to its start, so that earlier positions stay valid
    for each in sorted(corrections, key=lambda c: c.start, reverse=True):
        text = texts.get(each.path) or read_text(each.path)
        if each.end:
            start, end = _offset(text, each.start), _offset(text, each.end)
            texts[each.path] = text[:start] + each.text + text[end:]
        else:
            texts[each.path] = each.text
    return dict(sorted(texts.items()))


def _offset(text: str, position: Position) -> int:
    line, column = position
    return len("".join(text.splitlines(keepends=True)[: line - 1])) + column


def first_new_line(before: str, after: str) -> str:
    """Return the first line of `after` that `before` lacks, for a message."""
    old = before.splitlines()
    new = (line.strip() for line in after.splitlines() if line not in old)
    return next(new, "fewer lines")
