"""Run, edit and read blocks of Python on a page."""

import re

from playwright.sync_api import Locator, Page, expect

FINAL_STATES = re.compile("done|failed|stopped")
StatusText = str  # such as "finished, 0.1 s"


def find_block(tab: Page, number: int) -> Locator:
    return tab.locator(f"#block-{number}")


def wait_for_final_status(block: Locator) -> StatusText:
    """Wait until a block's run has ended; return the text of its status bar."""
    expect(block.locator(".cell-toolbar")).to_have_attribute("data-state", FINAL_STATES)
    return block.locator(".status").text_content() or ""


def edit_block(block: Locator, code: str) -> None:
    """Open the editor of a block and replace its code."""
    block.locator(".edit").click()
    content = block.locator(".cm-content")
    content.wait_for()
    content.press("ControlOrMeta+a")
    content.page.keyboard.insert_text(code)


def run_block(block: Locator, code: str = "") -> StatusText:
    """Run a block, with other code if given; return the final text of its status bar."""
    if code:
        edit_block(block, code)
    block.locator(".cell-toolbar").evaluate("bar => delete bar.dataset.state")
    block.locator(".run").click()
    return wait_for_final_status(block)


def printed_output(block: Locator) -> str:
    return block.locator("pre.output").text_content() or ""
