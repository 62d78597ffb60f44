"""The recap sheet: what each step's recap has in its two tables, on one page."""

from collections.abc import Iterator
from itertools import groupby

from weave.findings import Finding, Results
from weave.guide import Guide, link
from weave.kinds.kind import Kind, View
from weave.page import Page


class Recaps(Kind):
    """The terms and the formulas of every page `recap.md`; the fence is empty."""

    language = "recaps"
    what = "the terms and the formulas of every step"

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Find a recap that lacks one of its tables."""
        for page in recaps(guide):
            tables(page)
        return iter(())

    def html(self, view: View) -> list[str]:
        """Show both tables of each recap below the name of its step."""
        shown = []
        for page in recaps(view.guide):
            section = view.guide.section(page.path)
            step = section.step if section else page.title()
            there = link(self.page.path, page.path, finished=False)
            opening = view.stash('<section class="recap" data-search-exclude>')
            shown += [opening, "", f"## [{step}]({there})", ""]
            for table in tables(page):
                shown += [*table, ""]
            shown += [view.stash("</section>"), ""]
        return shown


def recaps(guide: Guide) -> list[Page]:
    """Return the recap of each step that has one, in order."""
    return [page for path, page in guide.pages.items() if path.name == "recap.md"]


def tables(page: Page) -> tuple[list[str], list[str]]:
    """Return the first table of a recap, and the first below `## Formulas…`."""
    lines = [line for _, line in page.prose()]
    below = [n for n, line in enumerate(lines) if line.startswith("## Formulas")]
    first = _tables(lines)
    formulas = _tables(lines[below[0] :]) if below else []
    if not first or not formulas or first[0] == formulas[0]:
        what = "a recap begins with a table of terms, and has one below '## Formulas…'"
        raise page.error(what, 1)
    return first[0], formulas[0]


def _tables(lines: list[str]) -> list[list[str]]:
    rows = groupby(lines, key=lambda line: line.startswith("|"))
    return [list(group) for is_table, group in rows if is_table]
