"""The recap sheet: the formulas of each step's recap, gathered on one page."""

from itertools import groupby

from weave.fences.base import RenderContext, TypedFence
from weave.guide import Guide, relative_link
from weave.page import Page


class RecapSheet(TypedFence):
    """The table of formulas of every page `recap.md`; the fence is empty."""

    language = "recaps"

    def resolve(self, guide: Guide) -> list[tuple[Page, list[str]]]:
        """Return the recap page of each step that has one, with its table's lines."""
        recaps = (page for path, page in guide.pages.items() if path.name == "recap.md")
        return [(page, formula_table(page)) for page in recaps]

    def render(self, context: RenderContext) -> list[str]:
        """Return the table of each recap, below a heading that names its step."""
        lines = []
        for page, formulas in self.resolve(context.guide):
            section = context.guide.navigation_entry(page.path)
            step = section.step_title if section else page.title()
            url = relative_link(self.page.path, page.path, between_urls=False)
            opening = '<section class="recap" data-search-exclude>'
            lines += [context.stash_html(opening), "", f"## [{step}]({url})", ""]
            lines += [*formulas, "", context.stash_html("</section>"), ""]
        return lines


def formula_table(recap_page: Page) -> list[str]:
    """Return the lines of a recap's table that shows formulas beside their code."""
    lines = (line for _, line in recap_page.prose_lines())
    for is_table, run in groupby(lines, lambda line: line[:1] == "|"):
        table = list(run)
        if is_table and "| in the code |" in table[0]:
            return table
    raise recap_page.error("expected a table with a column 'in the code'", 1)
