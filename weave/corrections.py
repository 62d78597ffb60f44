"""What is asked of a page, what came of it, and what was found to be untrue."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from weave.errors import WeaveError, WeaveErrors
from weave.page import Fence


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
    missing_libraries: list[str] = field(default_factory=list)  # as in Results

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


def corrected_texts(
    text_of: Callable[[Path], str], made: list[Correction]
) -> dict[Path, str]:
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


def correct_fence_body(fence: Fence, path: Path, text: str, message: str) -> Correction:
    """Return a correction of what stands between the fences of a block."""
    return Correction(path, (fence.line + 1, 0), (fence.end, 0), text, message)


def first_new_line(before: str, after: str) -> str:
    """Return the first line of a text that the other does not have."""
    old = before.splitlines()
    new = (line.strip() for line in after.splitlines() if line not in old)
    return next(new, "(fewer lines)")
