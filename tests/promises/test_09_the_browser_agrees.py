"""Promise 9: run in the Python that readers get, every block prints what the page shows.

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
BLOCKS = {
    page: PythonBlock.find_on_page(GUIDE.read_page(Path("docs", page)))
    for page in MARKDOWN_PAGES
}
WITH_BLOCKS = [page for page in MARKDOWN_PAGES if BLOCKS[page]]
# These take more than ten seconds of a processor, and a browser longer than Python.
LONG = {
    *("adam/recap.md", "adam/what-changes.md", "attention/recap.md"),
    *("attention/rmsnorm.md", "autograd/training-loop.md", "efficiency/assistant.md"),
    *("efficiency/one-node.md", "efficiency/what-changes.md", "inference/top-p.md"),
    "transformer/training.md",
    *(page.as_posix() for page in WITH_BLOCKS if "questions" in page.parts),
}
PARTS = 8  # so that several processes share what every change must pass
PRESSED = Path("autograd/recording.md")
OTHERS = [pytest.param(p, marks=nightly) for p in WITH_BLOCKS if p != PRESSED]
TIME_LIMIT = 120_000  # milliseconds; a block takes a second or two
ENDED = '.bar:is([data-state="done"], [data-state="failed"])'
# All of some pages in one go, by the function that a page calls for its blocks
RUN_ALL = """
import json
from runtime import runner

for blocks in json.loads({chains!r}):
    printed = [""] * len(blocks)

    def send(number, text):
        printed[number] += text

    outcome = runner.run_blocks(blocks, lambda number: None, send)
    print(json.dumps([printed, outcome["traceback"]]))
"""


def last_of_chains(page: Path) -> list[PythonBlock]:
    """Return the blocks of a page that, with those they continue, are all that run."""
    runs = [b for b in BLOCKS[page] if not b.required_library]
    continued = [block.continued_block for block in runs]
    return [block for block in runs if block not in continued]


def output_of(block: PythonBlock) -> str:
    return block.expected_output.fence.text if block.expected_output else ""


@thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_blocks_print_the_shown_output_in_browser_python(
    part: int, tab: Page, address: str
) -> None:
    pages = [page for page in WITH_BLOCKS if page.as_posix() not in LONG]
    chains = [
        (page, block.blocks_to_run())
        for page in pages[part::PARTS]
        for block in last_of_chains(page)
    ]
    tab.goto(address + site_path(PRESSED))
    programs = json.dumps([[block.code for block in blocks] for _, blocks in chains])
    assert run_block(find_block(tab, 1), RUN_ALL.format(chains=programs)).startswith(
        "finished"
    )
    answers = map(json.loads, printed_output(find_block(tab, 1)).splitlines())
    for (page, blocks), (outputs, traceback) in zip(chains, answers, strict=True):
        assert traceback == "", page
        assert outputs == [*map(output_of, blocks)], page


@pytest.mark.parametrize("page", [PRESSED, *OTHERS], ids=str)
def test_pressing_run_on_each_block_prints_the_shown_output(
    page: Path, tab: Page, address: str
) -> None:
    """Each runs once: a block runs those that it continues, and each prints its own."""
    tab.goto(address + site_path(page))
    # What the page was built with must not pass for a result.
    forget = "all => all.forEach(x => x.textContent = 'not run')"
    tab.locator("pre.output code").evaluate_all(forget)
    blocks = [(find_block(tab, n), block) for n, block in enumerate(BLOCKS[page], 1)]
    for here, block in blocks:
        if block.required_library:
            assert here.locator(".run").count() == 0
        elif block in last_of_chains(page):
            here.locator(".bar .run").click()
            here.locator(ENDED).wait_for(timeout=TIME_LIMIT)
    for here, block in blocks:
        if not block.required_library:
            output = here.locator("pre.output")
            shown = output.text_content() if output.is_visible() else ""
            assert shown == output_of(block), f"line {block.line}"
