"""Every block prints in the browser's Python what the page shows.

With every change, the blocks of all but the slowest pages run there, one page's as a reader runs them: with
their own buttons. Each night, those of every page do.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.marks import nightly, thorough
from tests.promises.site import ROOT
from tests.site.block_actions import find_block, printed_output, run_block
from tests.site.browsing import MARKDOWN_PAGES, site_path
from weave.fences.python_block import PythonBlock
from weave.guide import Guide

# Labs need NumPy, which pages don't load.
GUIDE = Guide(ROOT)
BLOCKS_OF_PAGES = {
    page: PythonBlock.find_on_page(GUIDE.read_page(Path("docs", page)))
    for page in MARKDOWN_PAGES
}
PAGES_WITH_BLOCKS = [page for page in MARKDOWN_PAGES if BLOCKS_OF_PAGES[page]]
# These take more than ten seconds of a processor, and a browser longer than Python.
SLOW_PAGES = {
    *("adam/recap.md", "adam/what-changes.md", "attention/recap.md"),
    *("attention/rmsnorm.md", "autograd/training-loop.md", "efficiency/assistant.md"),
    *("efficiency/one-node.md", "efficiency/what-changes.md", "inference/top-p.md"),
    "transformer/training.md",
    *(page.as_posix() for page in PAGES_WITH_BLOCKS if "questions" in page.parts),
}
SHARD_COUNT = 8  # so that several processes share what every change must pass
PAGE_TESTED_EACH_RUN = Path("autograd/recording.md")
OTHER_PAGES = [page for page in PAGES_WITH_BLOCKS if page != PAGE_TESTED_EACH_RUN]
PAGES_TESTED_NIGHTLY = [pytest.param(page, marks=nightly) for page in OTHER_PAGES]
TIME_LIMIT_MS = 120_000  # a block takes a second or two
FINISHED_BAR = '.cell-toolbar:is([data-state="done"], [data-state="failed"])'
# All of some pages in one go, by the function that a page calls for its blocks
RUN_CHAINS_PROGRAM = """
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
    """Return the last block of each chain; running them runs all blocks of a page."""
    runs = [b for b in BLOCKS_OF_PAGES[page] if not b.required_library]
    continued = [block.continued_block for block in runs]
    return [block for block in runs if block not in continued]


def get_expected_output(block: PythonBlock) -> str:
    return block.expected_output.fence.text if block.expected_output else ""


@thorough
@pytest.mark.parametrize("shard", range(SHARD_COUNT))
def test_blocks_print_the_shown_output_in_browser_python(
    shard: int, tab: Page, address: str
) -> None:
    pages = [page for page in PAGES_WITH_BLOCKS if page.as_posix() not in SLOW_PAGES]
    chains = [
        (page, block.blocks_to_run())
        for page in pages[shard::SHARD_COUNT]
        for block in find_last_blocks_of_chains(page)
    ]
    tab.goto(address + site_path(PAGE_TESTED_EACH_RUN))
    programs = json.dumps([[block.code for block in blocks] for _, blocks in chains])
    block = find_block(tab, 1)
    status = run_block(block, RUN_CHAINS_PROGRAM.format(chains=programs))
    assert status.startswith("finished")
    answers = map(json.loads, printed_output(block).splitlines())
    for (page, blocks), (outputs, traceback) in zip(chains, answers, strict=True):
        assert traceback == "", page
        assert outputs == [*map(get_expected_output, blocks)], page


@pytest.mark.parametrize("page", [PAGE_TESTED_EACH_RUN, *PAGES_TESTED_NIGHTLY], ids=str)
def test_pressing_run_on_each_block_prints_the_shown_output(
    page: Path, tab: Page, address: str
) -> None:
    """Run is pressed on the last block of each chain, which runs the others first."""
    tab.goto(address + site_path(page))
    # What the page was built with must not pass for a result.
    forget = "all => all.forEach(x => x.textContent = 'not run')"
    tab.locator("pre.output code").evaluate_all(forget)
    blocks = [(find_block(tab, n), b) for n, b in enumerate(BLOCKS_OF_PAGES[page], 1)]
    for here, block in blocks:
        if block.required_library:
            assert here.locator(".run").count() == 0
        elif block in find_last_blocks_of_chains(page):
            here.locator(".cell-toolbar .run").click()
            here.locator(FINISHED_BAR).wait_for(timeout=TIME_LIMIT_MS)
    for here, block in blocks:
        if not block.required_library:
            output = here.locator("pre.output")
            shown = output.text_content() if output.is_visible() else ""
            assert shown == get_expected_output(block), f"line {block.line}"
