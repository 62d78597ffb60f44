"""Promise 9: run in the Python that readers get, every block prints what the page shows.

Each page is opened in a browser, and its blocks are run with their own buttons.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.promises.site import ROOT
from tests.site.browsing import WRITTEN, path_of
from tests.thorough import nightly, one_of_each
from weave.guide import Guide
from weave.kinds.block import Block

# Labs need NumPy, which browsers do not have; their cells are run with the notebooks.
BLOCKS = {page: Block.on(Guide(ROOT).read(Path("docs", page))) for page in WRITTEN}
# The shortest first, which is tried every day
WITH_BLOCKS = sorted(
    (page for page in WRITTEN if BLOCKS[page]),
    key=lambda page: len(BLOCKS[page]),
)
# These take more than ten seconds of a processor, and a browser longer than Python.
LONG = {
    *("adam/recap.md", "adam/what-changes.md", "attention/recap.md"),
    *("attention/rmsnorm.md", "autograd/training-loop.md", "efficiency/assistant.md"),
    *("efficiency/one-node.md", "efficiency/what-changes.md", "inference/top-p.md"),
    *("transformer/training.md", "reference/questions/adam.md"),
    *("reference/questions/attention.md", "reference/questions/autograd.md"),
    *("reference/questions/counting.md", "reference/questions/efficiency.md"),
    *("reference/questions/gradient-descent.md", "reference/questions/inference.md"),
}
PAGES = [
    *one_of_each(page for page in WITH_BLOCKS if page.as_posix() not in LONG),
    *(pytest.param(Path(page), marks=nightly) for page in sorted(LONG)),
]
TIME_LIMIT = 120_000  # milliseconds; a block takes a second or two
OUTPUT = "pre.output code"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_block_prints_in_the_browser_what_the_page_shows(
    page: Path, tab: Page, address: str
) -> None:
    """Each runs once: a block runs those that it continues, and each prints its own."""
    tab.goto(address + path_of(page))
    # What the page was built with must not pass for a result.
    tab.locator(OUTPUT).evaluate_all(
        "all => all.forEach(x => x.textContent = 'not run')"
    )
    cells = {
        number: (tab.locator(f"#block-{number}"), block)
        for number, block in enumerate(BLOCKS[page], 1)
    }
    every = [block for _, block in cells.values()]
    runs = [block for block in every if not (block.skipped or block.library)]
    continued = [block.continues for block in runs]
    for cell, block in cells.values():
        if block not in runs:
            assert cell.locator(".run").count() == 0
        elif block not in continued:
            cell.locator(".run").click()
            ended = cell.locator('.bar:is([data-state="done"], [data-state="failed"])')
            ended.wait_for(timeout=TIME_LIMIT)
    for cell, block in cells.values():
        if block in runs:
            output = cell.locator("pre.output")
            shown = output.text_content() if output.is_visible() else ""
            expected = block.output.fence.text if block.output else ""
            assert shown == expected, f"line {block.line}"
