"""The recap sheet: what each step's recap has in its two tables, on one page."""

from itertools import groupby

from weave.guide import Guide, relative_link
from weave.kinds.kind import Kind, View
from weave.page import Page


class Recaps(Kind):
    """The terms and the formulas of every page `recap.md`; the fence is empty."""

    language = "recaps"

    def content(self, guide: Guide) -> list[tuple[Page, list[list[str]]]]:
        """Return the recap of each step that has one, with its two tables."""
        recaps = (page for path, page in guide.pages.items() if path.name == "recap.md")
        return [(page, tables(page)) for page in recaps]

    def html(self, view: View) -> list[str]:
        """Show both tables of each recap below the name of its step."""
        shown = []
        for page, (terms, formulas) in self.content(view.guide):
            section = view.guide.navigation_entry(page.path)
            step = section.step_title if section else page.title()
            there = relative_link(self.page.path, page.path, between_urls=False)
            opening = view.stash('<section class="recap" data-search-exclude>')
            shown += [opening, "", f"## [{step}]({there})", "", *terms, "", *formulas]
            shown += ["", view.stash("</section>"), ""]
        return shown


def tables(page: Page) -> list[list[str]]:
    """Return the two tables of a recap: its terms, and its formulas."""
    rows = groupby(
        (line for _, line in page.prose_lines()), lambda line: line[:1] == "|"
    )
    found = [list(group) for is_table, group in rows if is_table]
    if len(found) < 2:
        raise page.error("a recap begins with a table of terms, and one of formulas", 1)
    return found[:2]
