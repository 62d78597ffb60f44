"""The recap sheet: what each step's recap has in its two tables, on one page."""

from itertools import groupby

from weave.guide import Guide, link
from weave.kinds.kind import Kind, View
from weave.page import Page


class Recaps(Kind):
    """The terms and the formulas of every page `recap.md`; the fence is empty."""

    language = "recaps"

    def content(self, guide: Guide) -> list[tuple[Page, list[str], list[str]]]:
        """Return the recap of each step that has one, with its two tables."""
        recaps = (page for path, page in guide.pages.items() if path.name == "recap.md")
        return [(page, *tables(page)) for page in recaps]

    def html(self, view: View) -> list[str]:
        """Show both tables of each recap below the name of its step."""
        shown = []
        for page, terms, formulas in self.content(view.guide):
            section = view.guide.section(page.path)
            step = section.step if section else page.title()
            there = link(self.page.path, page.path, finished=False)
            opening = view.stash('<section class="recap" data-search-exclude>')
            shown += [opening, "", f"## [{step}]({there})", "", *terms, "", *formulas]
            shown += ["", view.stash("</section>"), ""]
        return shown


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
