"""What the checks of prose have in common, and the lines that they read."""

from collections.abc import Iterator

from weave.findings import Finding, Question, Results
from weave.guide import Guide
from weave.kinds import fences
from weave.page import Page


class Prose:
    """A check of what stands between the fences, or within those that hold prose."""

    def questions(self, page: Page) -> Iterator[Question]:
        """Yield the expressions to be evaluated once the blocks above have run."""
        return iter(())

    def check(self, guide: Guide, page: Page, results: Results) -> Iterator[Finding]:
        """Yield what isn't true of a page."""
        return iter(())

    def examine(self, guide: Guide) -> Iterator[Finding]:
        """Yield what isn't true of all pages together."""
        return iter(())


def lines(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of all that readers read as prose in Markdown."""
    yield from page.prose()
    for fence in fences(page):
        yield from fence.prose()
