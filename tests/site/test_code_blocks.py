"""Blocks of Python on a page: run, edit, reset, stop, and what can go wrong."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.marks import thorough
from tests.site.accessibility import assert_accessible_in_both_schemes
from tests.site.block_actions import (
    edit_block,
    find_block,
    printed_output,
    run_block,
    wait_for_final_status,
)
from tests.site.browsing import (
    FROM_SNAPSHOT_JS,
    IS_SNAPSHOT_CACHED_JS,
    OVERFLOW_PX_JS,
    PHONE_SIZE,
    wait_until_true,
)

BLOCKS_PAGE = "autograd/recording/"


@pytest.fixture
def tab(context: BrowserContext, address: str) -> Page:
    """A tab with blocks, some of which continue others."""
    tab = context.new_page()
    tab.goto(address + BLOCKS_PAGE)
    return tab


def test_python_loads_when_needed(fresh_context: BrowserContext, address: str) -> None:
    urls: list[str] = []
    fresh_context.on("request", lambda request: urls.append(request.url))
    tab = fresh_context.new_page()
    tab.goto(address + BLOCKS_PAGE, wait_until="networkidle")
    assert not re.search("pyodide|worker-|editor|cell-|python.zip", f"{urls}")
    block = find_block(tab, 1)
    assert run_block(block).startswith("same output")
    assert "pyodide.asm.wasm" in f"{urls}"
    edit_block(block, "print('on')\nwhile True: pass")
    block.locator(".run").click()
    expect(block.locator("pre.output")).to_have_text("on\n")
    block.locator(".stop").click()
    assert wait_for_final_status(block) == "stopped"
    run_block(block, "print('again')")
    assert tab.evaluate(FROM_SNAPSHOT_JS) == [False]
    wait_until_true(tab, IS_SNAPSHOT_CACHED_JS)
    # Two pages that start from the same snapshot draw different random numbers.
    draws = set()
    for _ in range(2):
        tab.goto(f"{address}autograd/value/")
        run_block(find_block(tab, 1), "import random\nprint(random.random())")
        draws.add(printed_output(find_block(tab, 1)))
        assert tab.evaluate(FROM_SNAPSHOT_JS) == [True]
    assert len(draws) == 2


def test_edited_block_runs_and_can_be_reset(tab: Page) -> None:
    block = find_block(tab, 1)
    before = block.inner_text()
    status = run_block(block, "from microgpt import Value\nprint(Value(7.0))")
    assert status.startswith("finished")
    assert printed_output(block) == "Value(data=7, grad=0)\n"
    # A browser that translates the page leaves code and output as they are.
    translated = "all => all.filter(each => each.translate).map(each => each.outerHTML)"
    assert tab.locator("pre, code").evaluate_all(translated) == []
    block.locator(".reset").click()
    assert block.locator(".editor").count() == 0
    assert block.locator(".reset").is_hidden()
    expect(block.locator(".run")).to_be_focused()
    block.locator(".status").evaluate("state => state.textContent = ''")
    assert block.inner_text() == before


def test_continuing_block_first_runs_the_edited_blocks_above(tab: Page) -> None:
    first, second = find_block(tab, 1), find_block(tab, 2)
    assert run_block(second).startswith("same output")
    edit_block(first, "print('changed')\nraise ValueError('first')")
    assert "ValueError in a block above" in run_block(second)
    assert printed_output(first).startswith("changed\n")
    assert "ValueError: first" in printed_output(first)


# Code that only browsers cannot run, and a part of the advice that it gets
ADVICE_BY_UNSUPPORTED_CODE: dict[str, str] = {
    "import getpass; getpass.getpass()": "write the answer into the code",
    "import asyncio; asyncio.run(asyncio.sleep(0))": "run it with Python on your own",
    "import threading; threading.Thread(target=print).start()": "call the function",
    "from multiprocessing import Pool; Pool(2)": "call the function",
    "import subprocess; subprocess.run(['ls'])": "call the function",
    "import os; os.fork()": "call the function",
    "import numpy": "can't install more",
    "import tkinter": "can't install more",
    "from urllib.request import urlopen; urlopen('https://a.org')": "the network",
    "from pyodide.http import open_url; open_url('https://a.org')": "the network",
    "x = [0] * 10**9": "less memory",
}


@thorough
def test_unsupported_code_ends_with_advice(tab: Page) -> None:
    block = find_block(tab, 1)
    for code, advice in ADVICE_BY_UNSUPPORTED_CODE.items():
        assert run_block(block, code).endswith(", line 1"), code
        assert advice in printed_output(block).splitlines()[-1], code


@thorough
def test_stop_ends_a_loop_and_a_double_click_does_not(tab: Page) -> None:
    block = find_block(tab, 1)
    edit_block(block, "while True: print('again')")
    block.locator(".run").press("Enter")
    # Stop takes the place and focus of Run, and then gives them back.
    expect(block.locator(".stop")).to_be_focused()
    expect(block.locator("[data-state=running]")).to_be_visible()
    tab.wait_for_timeout(500)
    tab.keyboard.press("Enter")
    assert wait_for_final_status(block) == "stopped"
    expect(block.locator(".run")).to_be_focused()
    assert len(printed_output(block)) < 101_000
    assert run_block(block, "print('alive')").startswith("finished")
    assert printed_output(block) == "alive\n"
    edit_block(block, "import time\ntime.sleep(1)")
    block.locator(".run").dblclick()
    expect(block.locator(".status")).to_contain_text("finished")


@thorough
def test_reset_during_a_run_restores_the_block(tab: Page) -> None:
    block = find_block(tab, 1)
    before = printed_output(block)
    edit_block(block, "print('early')\nwhile True: pass")
    block.locator(".run").click()
    expect(block.locator("pre.output")).to_have_text("early\n")
    block.locator(".reset").click()
    expect(block.locator(".status")).to_have_text("reset to the original")
    expect(block.locator(".run")).to_be_focused()
    wait_until_true(tab, "new Promise(requestAnimationFrame)")
    assert printed_output(block) == before
    expect(block.locator(".status")).to_have_text("reset to the original")
    expect(block.locator(".stop, .reset").filter(visible=True)).to_have_count(0)
    assert run_block(block).startswith("same output")


@thorough
def test_block_waiting_for_another_can_be_stopped(tab: Page) -> None:
    first, second = find_block(tab, 1), find_block(tab, 4)
    edit_block(first, "import time\ntime.sleep(3)\nprint('slept')")
    first.locator(".run").click()
    second.locator(".run").click()
    expect(second.locator(".status")).to_contain_text("waiting")
    second.locator(".stop").click()
    assert wait_for_final_status(second) == "stopped"
    assert run_block(second).startswith("same output")
    assert wait_for_final_status(first).startswith("finished")
    assert printed_output(first) == "slept\n"


# Code that ends Python, or may do so, and a pattern of the status that it gets
STATUS_OF_KILLING_CODE: dict[str, str] = {
    "kept = []\nwhile True: kept.append([0] * 3_000_000)": "no memory|MemoryError",
    "class A:\n    def __repr__(self): return repr(self)\nrepr(A())": "more deeply|RecursionError",
    "import os; os._exit(3)": "The program ended Python itself",
    "x = 0\nfor _ in range(200_000): x = Value(1) + x\ndel x": "^finished|Try again",
    "import js\njs.self.close()": "^finished|^JsException|Try again",
}


@thorough
@pytest.mark.parametrize(("code", "status"), STATUS_OF_KILLING_CODE.items())
def test_python_restarts_after_code_kills_it(tab: Page, code: str, status: str) -> None:
    block = find_block(tab, 1)
    run_block(block, "print('alive')")
    assert re.search(status, run_block(block, f"from microgpt import Value\n{code}"))
    run_block(block, "print('it may have died a moment ago')")
    assert run_block(block, "print('alive')").startswith("finished")


def answer_truncated(route: Route) -> None:
    whole = route.fetch()
    route.fulfill(response=whole, body=whole.body()[:1000])


@thorough
def test_loading_stops_and_retries(fresh_context: BrowserContext, address: str) -> None:
    tab = fresh_context.new_page()
    leave_unanswered: Callable[[Route], None] = lambda route: None
    tab.goto(address + BLOCKS_PAGE, wait_until="networkidle")
    block = find_block(tab, 1)
    fresh_context.route("**/pyodide.asm.wasm", leave_unanswered)
    block.locator(".run").click()
    expect(block.locator(".status")).to_have_text("loading Python")
    assert_accessible_in_both_schemes(tab, "#block-1")
    block.locator(".stop").click()
    assert wait_for_final_status(block) == "stopped"
    for file in ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide.mjs"):
        fresh_context.route(f"**/{file}", answer_truncated)
        # Not earlier: the page could fetch this file in between.
        fresh_context.unroute("**/pyodide.asm.wasm", leave_unanswered)
        assert re.search("could not be loaded.*Try again", run_block(block)), file
        fresh_context.unroute(f"**/{file}", answer_truncated)
    assert "same output" in run_block(block)
    # The script of a block may fail to load, too.
    tab.reload()
    fresh_context.route("**/cell-*.js", lambda route: route.abort())
    block.locator(".run").click()
    expect(block.locator(".status")).to_contain_text("could not be loaded")


@thorough
def test_block_says_that_it_needs_webassembly(tab: Page) -> None:
    tab.add_init_script("delete globalThis.WebAssembly")  # as strict settings do
    tab.reload()
    assert "no WebAssembly, which Python needs: allow" in run_block(find_block(tab, 1))


@thorough
def test_edit_is_restored_on_later_visits_until_reset(tab: Page, address: str) -> None:
    """An edit belongs to its block's original code, whatever number the block has."""
    code = find_block(tab, 4).locator(".highlight code").text_content() or ""
    stored = json.dumps({"original": code.rstrip(), "text": "print('earlier')"})
    store = "text => localStorage.setItem('guide:/somewhere/#block-1', text)"
    tab.evaluate(store, stored)
    edit_block(find_block(tab, 1), "print('mine')")

    def renumber_blocks(route: Route) -> None:
        html = route.fetch().text()
        route.fulfill(body=re.sub(r"\bblock-(\d)", r"block-1\1", html))

    tab.route(address + BLOCKS_PAGE, renumber_blocks)
    for number, text in ((11, "print('mine')"), (14, "print('earlier')")):
        tab.goto(address + BLOCKS_PAGE)
        block = find_block(tab, number)
        assert text not in block.inner_text()
        block.locator(".edit").click()
        expect(block.locator(".cm-content")).to_have_text(text)
        expect(block.locator(".status")).to_contain_text("earlier visit")
        block.locator(".reset").click()
        block.locator(".edit").click()
        expect(block.locator(".cm-content")).not_to_have_text(text)
    keys = tab.evaluate("Object.keys(localStorage).filter(x => x.includes('block-'))")
    assert keys == []


@thorough
def test_edit_with_old_imports_is_shown_with_todays(tab: Page, address: str) -> None:
    tab.goto(address + "counting/loss/")
    block = find_block(tab, 1)
    original = block.locator(".highlight code").text_content() or ""
    key = f"guide:block:{original.rstrip()}".replace("step0_setup", "counted")
    edit = "from snippets.ready import counted as f; print('counted:', f(3)[0][0])"
    tab.evaluate("entry => localStorage.setItem(...entry)", [key, edit])
    block.locator(".edit").click()
    new_edit = edit.replace("counted as", "step0_setup as")
    expect(block.locator(".cm-content")).to_have_text(new_edit)
    assert run_block(block).startswith("finished")
    assert tab.evaluate("key => localStorage.getItem(key)", key) is None


def test_edited_block_runs_although_storage_is_full(tab: Page) -> None:
    tab.evaluate(
        "() => { Storage.prototype.setItem ="
        " () => { throw new DOMException('', 'QuotaExceededError'); } }"
    )
    block = find_block(tab, 1)
    edit_block(block, "print('mine')")
    expect(block.locator(".status")).to_contain_text("no room")
    assert run_block(block).startswith("finished")


def test_block_is_edited_run_and_left_by_keyboard(tab: Page) -> None:
    block = find_block(tab, 1)
    block.locator(".edit").focus()
    tab.keyboard.press("Enter")
    expect(block.locator(".cm-content")).to_be_focused()
    tab.keyboard.press("ControlOrMeta+a")
    tab.keyboard.type("if 1:\nprint('typed')")
    tab.keyboard.press("Shift+Enter")
    assert wait_for_final_status(block).startswith("finished")
    assert printed_output(block) == "typed\n"
    tab.keyboard.press("Escape")
    expect(block.locator(".run")).to_be_focused()
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("Escape")
    expect(block.locator(".run")).to_be_focused()
    tab.keyboard.press("Control+Enter")
    expect(block.locator(".cell-toolbar")).to_have_attribute("data-state", "done")


def test_copy_button_copies_edited_blocks(context: BrowserContext, tab: Page) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    edit_block(find_block(tab, 1), "print('mine')")
    find_block(tab, 2).hover()
    find_block(tab, 2).locator(".md-clipboard").click()
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("print('mine')\n")
    assert "claimed, measured = " in copied


@thorough
def test_error_marks_its_line_and_fits_a_phone(tab: Page) -> None:
    tab.set_viewport_size(PHONE_SIZE)
    block = find_block(tab, 1)
    raised = f"raise ValueError({'8' * 200!r})"
    edit_block(block, f"print('{'9' * 200}')  # a comment\nif 1:\n    {raised}")
    assert_accessible_in_both_schemes(tab, "#block-1")
    assert run_block(block) == "ValueError, line 3"
    assert 'File "this block", line 3, in <module>' in printed_output(block)
    assert tab.evaluate(OVERFLOW_PX_JS) <= 0
    assert_accessible_in_both_schemes(tab, "#block-1")
    output = tab.get_by_role("group", name="Output of block 1", exact=True)
    expect(output.first).to_be_visible()
    expect(block.locator(".cm-line.error-line")).to_have_text(f"    {raised}")
    block.locator(".cm-content").press("End")
    tab.keyboard.type(" ")
    expect(block.locator(".error-line")).to_have_count(0)


@thorough
def test_predicted_output_is_blurred_until_asked_for(tab: Page, address: str) -> None:
    tab.goto(address + "transformer/heads-in-code/")
    block = tab.locator(".predict + .cell").first
    answer = tab.locator(".predict:has(+ .cell) summary").first
    output = block.locator(".output > code")
    expect(output).to_have_css("filter", "blur(5px)")
    answer.click()
    expect(output).to_have_css("filter", "none")
    answer.click()
    expect(output).to_have_css("filter", "blur(5px)")
    block.locator(".run").click()
    expect(output).to_have_css("filter", "none")
