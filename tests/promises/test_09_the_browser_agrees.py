"""Every block prints in the browser's Python what the page shows.

With every change, the blocks of all but the slowest pages run there, and on one page the
test presses Run as a reader would. Each night, it presses Run on every page.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.marks import mark_all_but_first, nightly, thorough
from tests.processes import ROOT
from tests.site.block_actions import find_block, printed_output, run_block
from tests.site.browsing import MARKDOWN_PAGES, site_path
from weave.fences.python_block import PythonBlock
from weave.guide import Guide

GUIDE = Guide(ROOT)
BLOCKS_BY_PAGE = {
    page: blocks
    for page in MARKDOWN_PAGES  # labs need NumPy, which pages don't load
    if (blocks := PythonBlock.find_on_page(GUIDE.read_page(Path("docs", page))))
}
# Pages whose blocks take Python more than ten seconds, and longer in a browser
SLOW_PAGES = re.compile(
    "adam/(recap|what-c)|attention/r(ecap|ms)|inference/top-p"
    "|efficiency/(assistant|one-node|what-c)|questions/"
)
FAST_PAGES_SHARD_COUNT = 8  # so that test processes share them
# All pages with blocks, and first the one on which every change presses Run
PAGES = sorted(BLOCKS_BY_PAGE, key=lambda page: page.name != "recording.md")
# Runs chains of blocks with the function that Run calls on a page
RUN_CHAINS_PYTHON_TEMPLATE = """
import json
from runtime import runner

for blocks in json.loads({chains!r}):
    printed = [""] * len(blocks)

    def send(number, text):
        printed[number] += text

    outcome = runner.run_blocks(blocks, lambda number: None, send)
    print(json.dumps([printed, outcome["traceback"]]))
"""


def find_last_blocks_of_chains(page: Path) -> list[PythonBlock]:
    """Return the last block of each chain, whose runs together run all blocks of a page."""
    runs = [b for b in BLOCKS_BY_PAGE[page] if not b.required_library]
    continued = [block.continued_block for block in runs]
    return [block for block in runs if block not in continued]


def get_expected_output(block: PythonBlock) -> str:
    return block.expected_output.fence.text if block.expected_output else ""


@thorough
@pytest.mark.parametrize("shard", range(FAST_PAGES_SHARD_COUNT))
def test_browser_prints_what_pages_show(shard: int, tab: Page, address: str) -> None:
    pages = [page for page in PAGES if not SLOW_PAGES.search(page.as_posix())]
    chains = [
        (page, block.blocks_to_run())
        for page in pages[shard::FAST_PAGES_SHARD_COUNT]
        for block in find_last_blocks_of_chains(page)
    ]
    tab.goto(address + site_path(PAGES[0]))
    programs = json.dumps([[b.fence.text for b in blocks] for _, blocks in chains])
    block = find_block(tab, 1)
    status = run_block(block, RUN_CHAINS_PYTHON_TEMPLATE.format(chains=programs))
    assert status.startswith("finished")
    answers = map(json.loads, printed_output(block).splitlines())
    for (page, blocks), (outputs, traceback) in zip(chains, answers, strict=True):
        assert traceback == "", page
        assert outputs == [*map(get_expected_output, blocks)], page


@pytest.mark.parametrize("page", mark_all_but_first(PAGES, mark=nightly), ids=str)
def test_run_prints_what_the_page_shows(page: Path, tab: Page, address: str) -> None:
    """Run is pressed on the last block of each chain, which runs the others first."""
    tab.goto(address + site_path(page))
    # An output that the page was built with must not pass for a result.
    forget = "all => all.forEach(x => x.textContent = 'not run')"
    tab.locator("pre.output code").evaluate_all(forget)
    blocks = [(find_block(tab, n), b) for n, b in enumerate(BLOCKS_BY_PAGE[page], 1)]
    for here, block in blocks:
        if block.required_library:
            assert here.locator(".run").count() == 0
        elif block in find_last_blocks_of_chains(page):
            run_block(here)
    for here, block in blocks:
        if not block.required_library:
            output = here.locator("pre.output")
            shown = output.text_content() if output.is_visible() else ""
            assert shown == get_expected_output(block), f"line {block.line}"
