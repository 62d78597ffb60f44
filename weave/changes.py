"""Differences between two programs: what a fence shows, and whether any is left out."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from weave.errors import WeaveError
from weave.guide import Guide
from weave.page import Fence, Page
from weave.source import Span, UnknownSymbol, dedent, find


@dataclass(frozen=True)
class Changes:
    """Two pieces of code; one of them is None where the other is all new, or all gone."""

    before: Span | None
    after: Span | None

    @property
    def spans(self) -> list[Span]:
        """The pieces that there are."""
        return [span for span in (self.before, self.after) if span]

    def lines(self) -> list[str]:
        """Return the difference, each line with `+`, `-` or a space before it."""
        old = dedent(self.before.lines) if self.before else []
        new = dedent(self.after.lines) if self.after else []
        if not (old and new):
            return [f"-{line}" for line in old] + [f"+{line}" for line in new]
        return list(difflib.unified_diff(old, new, lineterm=""))[2:]


def read_changes(root: Path, page: Page, fence: Fence) -> Changes:
    """Read a `changes` fence: `module:name -> module:name`, one side perhaps empty."""
    before, arrow, after = (
        part.strip() for part in " ".join(fence.body).partition("->")
    )
    try:
        if not arrow or not (before or after):
            raise UnknownSymbol("write 'module:name -> module:name'")
        return Changes(
            find(root, before) if before else None, find(root, after) if after else None
        )
    except UnknownSymbol as error:
        raise page.error(str(error), fence.line) from None


def unexplained(guide: Guide) -> Iterator[WeaveError]:
    """Find lines in which consecutive programs differ and that no page goes through.

    For each pair, one page must show all of them.
    """
    shown = {
        path: [
            read_changes(guide.root, page, fence)
            for fence in page.fences
            if fence.language == "changes"
        ]
        for path, page in guide.pages.items()
    }
    for before, after in pairwise(guide.programs):
        old, new = guide.lines(before), guide.lines(after)
        wanted = set(_differing(before, old, after, new))
        fewest = min(
            (wanted - _covered(changes) for changes in shown.values()), key=len
        )
        if fewest:
            path, line = min(fewest)
            yield WeaveError(
                f"no page goes through all that changes from {before.name} to "
                f"{after.name}: {len(fewest)} of its lines are left out, first this",
                path,
                line,
            )


def _covered(changes: list[Changes]) -> set[tuple[Path, int]]:
    return {
        (span.path, line)
        for change in changes
        for span in change.spans
        for line in range(span.first, span.last + 1)
    }


def _differing(
    before: Path, old: list[str], after: Path, new: list[str]
) -> Iterator[tuple[Path, int]]:
    """Yield each line, not blank, that one of two programs has and the other has not."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, *places in matcher.get_opcodes():
        if kind == "equal":
            continue
        first, last, new_first, new_last = places
        yield from ((before, n + 1) for n in range(first, last) if old[n].strip())
        yield from (
            (after, n + 1) for n in range(new_first, new_last) if new[n].strip()
        )
