"""The recap sheet: the two tables of each step's recap, gathered on one page."""

from itertools import groupby

from weave.fences.base import RenderContext, TypedFence
from weave.guide import Guide, relative_link
from weave.page import Page


class RecapSheet(TypedFence):
    """The terms and the formulas of every page `recap.md`; the fence is empty."""

    language = "recaps"

    def resolve(self, guide: Guide) -> list[tuple[Page, list[list[str]]]]:
        """Return the recap page of each step that has one, with its two tables."""
        recaps = (page for path, page in guide.pages.items() if path.name == "recap.md")
        return [(page, terms_and_formulas_tables(page)) for page in recaps]

    def render(self, context: RenderContext) -> list[str]:
        """Return both tables of each recap, below a heading that names its step."""
        lines = []
        for page, (terms, formulas) in self.resolve(context.guide):
            section = context.guide.navigation_entry(page.path)
            step = section.step_title if section else page.title()
            url = relative_link(self.page.path, page.path, between_urls=False)
            opening = '<section class="recap" data-search-exclude>'
            lines += [context.stash_html(opening), "", f"## [{step}]({url})", ""]
            lines += [*terms, "", *formulas, "", context.stash_html("</section>"), ""]
        return lines


def terms_and_formulas_tables(recap_page: Page) -> list[list[str]]:
    """Return the lines of a recap's first two tables: its terms, and its formulas."""
    lines = (line for _, line in recap_page.prose_lines())
    runs = groupby(lines, lambda line: line[:1] == "|")
    tables = [list(lines) for is_table, lines in runs if is_table]
    if len(tables) < 2:
        raise recap_page.error(
            f"expected a table of terms and one of formulas, got {len(tables)} tables",
            1,
        )
    return tables[:2]
