"""Differences between two programs, and whether any is left out."""

import difflib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from weave.corrections import Finding
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.kind import LINK, Kind, View, code
from weave.kinds.listing import linked
from weave.source_symbols import SourceSpan, dedent


class Changes(Kind):
    """The difference between two pieces: `module:name -> module:name`."""

    language = "changes"

    def content(self, guide: Guide) -> list[SourceSpan | None]:
        """Return both pieces: None where the other is all new, or all gone."""
        before, arrow, after = " ".join(self.fence.body).partition("->")
        sides = [side.strip() for side in (before, after)]
        if not arrow or not any(sides):
            raise self.error("write 'module:name -> module:name'")
        return [self.find(guide, side) if side else None for side in sides]

    def lines(self, guide: Guide) -> list[str]:
        """Return the difference, each line with `+`, `-` or a space before it."""
        old, new = (dedent(side.lines) if side else [] for side in self.content(guide))
        # What is all new, or all gone, stands in one place, which needs no line.
        first = 2 if old and new else 3
        return list(difflib.unified_diff(old, new, lineterm=""))[first:]

    def html(self, view: View) -> list[str]:
        """Show the difference, with how many lines come and go."""
        before, after = sides = self.content(view.guide)
        diff = self.lines(view.guide)
        gone, come = (sum(line.startswith(sign) for line in diff) for sign in "-+")
        places = [f"{linked(view, span)}, {span.line_label}" for span in sides if span]
        if before is None:
            caption = f"New in {places[0]}: {_many(come)} added"
        elif after is None:
            caption = f"Gone from {places[0]}: {_many(gone)} removed"
        else:
            caption = f"From {places[0]}, to {places[1]}: {_many(gone)} removed, "
            caption += f"{come} added"
        opening = (
            f'<figure class="changes" id="{self.anchor}" data-search-exclude>'
            f"<figcaption>{caption}</figcaption>{LINK.format(self.anchor)}"
        )
        return [view.stash(opening), *code("diff", diff), view.stash("</figure>")]

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find lines in which consecutive programs differ and that no page explains.

        For each pair, one page must show all of them.
        """
        shown = []
        for page in guide.pages.values():
            spans = [span for each in cls.on(page) for span in each.content(guide)]
            shown.append({(s.path, n) for s in spans if s for n in s.line_numbers})
        for before, after in pairwise(guide.program_paths):
            wanted = {*_only(guide, before, after), *_only(guide, after, before)}
            if left := min((wanted - covered for covered in shown), key=len):
                pair = f"from {before.name} to {after.name}"
                many = f"{len(left)} of its lines are left out, first this"
                what = f"no page goes through all that changes {pair}: {many}"
                yield WeaveError(what, *min(left))


def _many(lines: int) -> str:
    return f"{lines} line{'s' * (lines != 1)}"


def _only(guide: Guide, one: Path, other: Path) -> Iterator[tuple[Path, int]]:
    """Yield each line, not blank, that one of two programs has and the other has not."""
    lines = guide.read_lines(one)
    matcher = difflib.SequenceMatcher(
        None, lines, guide.read_lines(other), autojunk=False
    )
    for kind, first, last, *_ in matcher.get_opcodes():
        if kind != "equal":
            yield from ((one, n + 1) for n in range(first, last) if lines[n].strip())
