"""Counts of the guide itself, such as how many blocks it has.

A page states them with `…` in the place of the number, which the build fills in: so a
new page makes no other page false.
"""

import re
from collections.abc import Callable

from weave.guide import Guide
from weave.kinds.api import symbols
from weave.kinds.block import Block, Output
from weave.kinds.changes import Changes
from weave.kinds.diagram import Graph
from weave.kinds.exercise import Exercise, exercises, load
from weave.kinds.kind import Kind
from weave.kinds.listing import Listing, reason, waiting, written
from weave.kinds.picture import Picture
from weave.kinds.session import Session
from weave.kinds.widget import WIDGETS
from weave.prose.numbers import COUNT, COUNTED, numbers

OURS = re.compile(r"\]\((?!https?:)[^)]+\)")  # links to places of the site
OPTION = re.compile(r"^  (?:-h, )?--[a-z]", re.MULTILINE)  # described by --help
FENCES: dict[str, type[Kind]] = {
    "differences": Changes,
    "exercises": Exercise,
    "graphs": Graph,
    "listings": Listing,
    "outputs": Output,
    "pictures": Picture,
    "sessions": Session,
}
COUNTS: dict[str, Callable[[Guide], int]] = {
    "blocks": lambda guide: sum(not block.skipped for block in Block.all(guide)),
    "blocks with Run": lambda guide: sum(block.has_run for block in Block.all(guide)),
    "lines": lambda guide: sum(len(guide.lines(file)) for file in guide.sources),
    "lines explained": lambda guide: sum(
        len(written(guide, file)) - len(waiting(guide, file))
        for file in guide.sources
        if not reason(guide, file)
    ),
    "lines waived": lambda guide: sum(
        len(written(guide, file)) for file in guide.sources if reason(guide, file)
    ),
    "links": lambda guide: sum(
        len(OURS.findall(line))
        for page in guide.pages.values()
        for _, line in page.prose()
    ),
    "mistakes": lambda guide: sum(
        len(load(guide, folder).mistakes) for folder in exercises(guide.root)
    ),
    "names": lambda guide: len(list(symbols(guide))),
    "numbers": lambda guide: sum(len(numbers(page)) for page in guide.pages.values()),
    "options": lambda guide: sum(
        len(OPTION.findall(session.fence.text)) for session in Session.all(guide)
    ),
    "pages": lambda guide: len(guide.pages),
    "pages with blocks": lambda guide: sum(
        any(block.has_run for block in Block.on(page)) for page in guide.pages.values()
    ),
    "programs": lambda guide: len(guide.programs),
    "recorded": lambda guide: len(guide.options.get("recorded", {})),
    "widgets": lambda guide: len(list(guide.root.glob(f"{WIDGETS}/*/model.py"))),
}


def count(guide: Guide, what: str) -> int:
    """Count what the pages, the package or the tests hold."""
    if what in FENCES:
        return len(list(FENCES[what].all(guide)))
    if what in COUNTS:
        return COUNTS[what](guide)
    known = ", ".join(sorted({*FENCES, *COUNTS}))
    raise LookupError(f"nothing counts {what!r}, only {known}")


def filled(guide: Guide, line: str) -> str:
    """Return a line of a page with the counts of the guide filled in."""

    def shown(found: re.Match[str]) -> str:
        return found[0].replace(COUNTED, f"{count(guide, found[1]):,}")

    return COUNT.sub(shown, line) if COUNTED in line else line
