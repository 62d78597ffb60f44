"""Differences between two programs, and whether any is left out."""

import difflib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from weave.errors import WeaveError
from weave.findings import Finding
from weave.guide import Guide
from weave.kinds.kind import LINK, Kind, View, code
from weave.kinds.listing import linked
from weave.source import Span, UnknownSymbol, dedent, find


class Sides(NamedTuple):
    """Two pieces of code; one of them is None where the other is all new, or all gone."""

    before: Span | None
    after: Span | None

    @property
    def spans(self) -> list[Span]:
        """The pieces that there are."""
        return [span for span in self if span]

    def lines(self) -> list[str]:
        """Return the difference, each line with `+`, `-` or a space before it."""
        old = dedent(self.before.lines) if self.before else []
        new = dedent(self.after.lines) if self.after else []
        if not (old and new):
            return [f"-{line}" for line in old] + [f"+{line}" for line in new]
        return list(difflib.unified_diff(old, new, lineterm=""))[2:]


class Changes(Kind):
    """The difference between two pieces: `module:name -> module:name`."""

    language = "changes"

    def content(self, guide: Guide) -> Sides:
        """Return both pieces; one side of the arrow may be empty."""
        before, arrow, after = " ".join(self.fence.body).partition("->")
        try:
            if not arrow or not (before + after).strip():
                raise UnknownSymbol("write 'module:name -> module:name'")
            sides = (side.strip() for side in (before, after))
            return Sides(*(find(guide.root, side) if side else None for side in sides))
        except UnknownSymbol as error:
            raise self.error(str(error)) from None

    def html(self, view: View) -> list[str]:
        """Show the difference, with how many lines come and go."""
        sides = self.content(view.guide)
        diff = sides.lines()
        gone, come = (sum(line.startswith(sign) for line in diff) for sign in "-+")
        places = [f"{linked(view, span)}, {span.where}" for span in sides.spans]
        if sides.before is None:
            caption = f"New in {places[0]}: {_many(come)} added"
        elif sides.after is None:
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
            spans = [
                span for each in cls.on(page) for span in each.content(guide).spans
            ]
            shown.append({(span.path, n) for span in spans for n in span.numbers})
        for before, after in pairwise(guide.programs):
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
    lines = guide.lines(one)
    matcher = difflib.SequenceMatcher(None, lines, guide.lines(other), autojunk=False)
    for kind, first, last, *_ in matcher.get_opcodes():
        if kind != "equal":
            yield from ((one, n + 1) for n in range(first, last) if lines[n].strip())
