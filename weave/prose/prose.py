"""The lines that checks of prose read."""

from collections.abc import Iterator

from weave.kinds import fences
from weave.page import Page


def lines(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of all that readers read as prose in Markdown."""
    yield from page.prose()
    for fence in fences(page):
        yield from fence.prose()
