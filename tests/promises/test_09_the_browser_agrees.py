"""Promise 9: run in the Python that readers get, every block prints what the page shows.

Each page is opened in a browser and each of its blocks is run with its own button.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.promises.site import ROOT
from tests.site.browsing import WRITTEN, path_of
from tests.thorough import one_of_each
from weave.guide import Guide

# Labs need NumPy, which browsers do not have; their cells are run with the notebooks.
SOURCES = {page: Guide(ROOT).read(Path("docs", page)) for page in WRITTEN}
# The shortest first, which is tried every day
WITH_BLOCKS = sorted(
    (page for page in WRITTEN if SOURCES[page].blocks),
    key=lambda page: len(SOURCES[page].blocks),
)
TIME_LIMIT = 120_000  # milliseconds; a block takes a second or two


def press_run(tab: Page, number: int) -> str:
    """Run a block and return what then stands below it."""
    cell = tab.locator(f"#block-{number}")
    output = cell.locator("pre.output")
    if output.count():  # what the page was built with must not pass for a result
        output.locator("code").evaluate("code => code.textContent = 'not run'")
    cell.locator(".run").click()
    ended = cell.locator('.bar:is([data-state="done"], [data-state="failed"])')
    ended.wait_for(timeout=TIME_LIMIT)
    return (output.text_content() or "") if output.is_visible() else ""


@pytest.mark.parametrize("page", one_of_each(WITH_BLOCKS), ids=str)
def test_every_block_prints_in_the_browser_what_the_page_shows(
    page: Path, tab: Page, address: str
) -> None:
    tab.goto(address + path_of(page))
    for number, block in enumerate(SOURCES[page].blocks, 1):
        if block.skipped or block.library:
            assert tab.locator(f"#block-{number} .run").count() == 0
            continue
        expected = block.output.text if block.output else ""
        assert press_run(tab, number) == expected, f"line {block.fence.line}"
