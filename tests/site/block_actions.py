"""What a reader does with a block, and what the block then says."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.site.browsing import LONG

ENDED = re.compile("done|failed|stopped")


def cell(tab: Page, number: int) -> Locator:
    return tab.locator(f"#block-{number}")


def state(block: Locator) -> str:
    """Wait until a block's run has ended; return what its bar then says."""
    expect(block.locator(".bar")).to_have_attribute("data-state", ENDED, timeout=LONG)
    return block.locator(".state").text_content() or ""


def write(block: Locator, code: str) -> None:
    """Open the editor of a block and replace what stands in it."""
    block.locator(".edit").click()
    content = block.locator(".cm-content")
    content.wait_for()
    content.press("ControlOrMeta+a")
    content.page.keyboard.insert_text(code)


def run(block: Locator, code: str = "") -> str:
    """Run a block, or other code in it; return what its bar says in the end."""
    if code:
        write(block, code)
    block.locator(".bar").evaluate("bar => delete bar.dataset.state")
    block.locator(".run").click()
    return state(block)


def printed(block: Locator) -> str:
    return block.locator("pre.output").text_content() or ""
