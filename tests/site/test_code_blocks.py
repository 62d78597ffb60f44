"""Blocks in the hands of a reader: run, edit, reset, stop, and all that goes wrong."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.marks import thorough
from tests.site.accessibility import assert_faultless
from tests.site.block_actions import cell, printed, run, state, write
from tests.site.browsing import LONG, PHONE, SNAPSHOT_KEPT, STARTS, TOO_WIDE, wait_for

PAGE = "autograd/recording/"


@pytest.fixture
def tab(context: BrowserContext, address: str) -> Page:
    """A page with blocks, some of which continue others."""
    tab = context.new_page()
    tab.goto(address + PAGE)
    return tab


def test_python_loads_on_first_run_survives_stop_and_saves_a_snapshot(
    newcomer: BrowserContext, address: str
) -> None:
    asked: list[str] = []
    newcomer.on("request", lambda request: asked.append(request.url))
    tab = newcomer.new_page()
    tab.goto(address + PAGE, wait_until="networkidle")
    live = re.compile("pyodide|worker-|editor|cell-|python.zip")
    assert [url for url in asked if live.search(url)] == []
    block = cell(tab, 1)
    assert run(block).startswith("same output")
    assert [url for url in asked if "pyodide.asm.wasm" in url] != []
    write(block, "print('on')\nwhile True: pass")
    block.locator(".run").click()
    expect(block.locator("pre.output")).to_have_text("on\n")
    block.locator(".stop").click()
    assert state(block) == "stopped"
    run(block, "print('again')")
    assert tab.evaluate(STARTS) == [False]
    wait_for(tab, SNAPSHOT_KEPT)
    # Two pages that start from one memory draw different numbers.
    draws = set()
    for _ in range(2):
        tab.goto(f"{address}autograd/value/")
        run(cell(tab, 1), "import random\nprint(random.random())")
        draws.add(printed(cell(tab, 1)))
        assert tab.evaluate(STARTS) == [True]
    assert len(draws) == 2


def test_edited_block_prints_new_output_and_reset_restores_it(
    tab: Page,
) -> None:
    block = cell(tab, 1)
    before = block.inner_text()
    said = run(block, "from microgpt import Value\nprint(Value(7.0))")
    assert said.startswith("finished")
    assert printed(block) == "Value(data=7, grad=0)\n"
    # A browser that translates the page leaves its code and its output alone.
    translated = "all => all.filter(each => each.translate).map(each => each.outerHTML)"
    assert tab.locator("pre, code").evaluate_all(translated) == []
    block.locator(".reset").click()
    assert block.locator(".editor").count() == 0
    assert block.locator(".reset").is_hidden()
    expect(block.locator(".run")).to_be_focused()
    block.locator(".state").evaluate("state => state.textContent = ''")
    assert block.inner_text() == before


def test_continuing_block_first_runs_the_earlier_blocks_as_edited(tab: Page) -> None:
    first, second = cell(tab, 1), cell(tab, 2)
    second.locator(".run").click()
    assert state(second).startswith("same output")
    write(first, "print('changed')\nraise ValueError('first')")
    second.locator(".run").click()
    expect(second.locator(".bar")).to_have_attribute("data-state", "failed")
    assert "ValueError in a block above" in state(second)
    assert "changed" in printed(first)
    assert "ValueError: first" in printed(first)


# What only a page can't do, and a word of what it says to do instead
IMPOSSIBLE = {
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
def test_code_unsupported_in_a_browser_ends_with_advice(tab: Page) -> None:
    block = cell(tab, 1)
    for code, advice in IMPOSSIBLE.items():
        assert run(block, code).endswith(", line 1"), code
        assert advice in printed(block).splitlines()[-1], code


@thorough
def test_stop_ends_an_endless_loop_and_double_clicking_run_does_not(tab: Page) -> None:
    block = cell(tab, 1)
    write(block, "while True: print('again')")
    block.locator(".run").press("Enter")
    # Where Run stood, Stop has the focus, and then Run again.
    expect(block.locator(".stop")).to_be_focused()
    running = expect(block.locator(".bar"))
    running.to_have_attribute("data-state", "running", timeout=LONG)
    tab.wait_for_timeout(500)
    tab.keyboard.press("Enter")
    assert state(block) == "stopped"
    expect(block.locator(".run")).to_be_focused()
    assert len(printed(block)) < 101_000
    assert run(block, "print('alive')").startswith("finished")
    assert printed(block) == "alive\n"
    write(block, "import time\ntime.sleep(1)")
    block.locator(".run").dblclick()
    expect(block.locator(".state")).to_contain_text("finished")


@thorough
def test_reset_during_a_run_restores_the_block(tab: Page) -> None:
    block = cell(tab, 1)
    before = printed(block)
    write(block, "print('early')\nwhile True: pass")
    block.locator(".run").click()
    expect(block.locator("pre.output")).to_have_text("early\n", timeout=LONG)
    block.locator(".reset").click()
    expect(block.locator(".state")).to_have_text("as it was")
    expect(block.locator(".run")).to_be_focused()
    wait_for(tab, "new Promise(requestAnimationFrame)")
    assert printed(block) == before
    expect(block.locator(".state")).to_have_text("as it was")
    expect(block.locator(".stop, .reset").filter(visible=True)).to_have_count(0)
    block.locator(".run").click()
    expect(block.locator(".state")).to_contain_text("same output", timeout=LONG)


@thorough
def test_block_waiting_for_another_can_be_stopped(tab: Page) -> None:
    first, second = cell(tab, 1), cell(tab, 4)
    write(first, "import time\ntime.sleep(3)\nprint('slept')")
    first.locator(".run").click()
    second.locator(".run").click()
    expect(second.locator(".state")).to_contain_text("waiting")
    second.locator(".stop").click()
    assert state(second) == "stopped"
    second.locator(".run").click()
    assert state(first).startswith("finished")
    assert printed(first) == "slept\n"
    assert state(second).startswith("same output")


# Each ends Python in a way of its own; what is too long a chain to free may do so.
DEADLY = {
    "kept = []\nwhile True: kept.append([0] * 3_000_000)": "no memory|MemoryError",
    "class A:\n    def __repr__(self): return repr(self)\nrepr(A())": "more deeply|RecursionError",
    "import os; os._exit(3)": "The program ended Python itself",
    "x = 0\nfor _ in range(200_000): x = Value(1) + x\ndel x": "^finished|Try again",
    "import js\njs.self.close()": "^finished|^JsException|Try again",
}


@thorough
@pytest.mark.parametrize(("code", "says"), DEADLY.items())
def test_block_that_kills_python_says_why_and_python_restarts(
    tab: Page, code: str, says: str
) -> None:
    block = cell(tab, 1)
    run(block, "print('alive')")
    assert re.search(says, run(block, f"from microgpt import Value\n{code}"))
    run(block, "print('it may have died a moment ago')")
    assert run(block, "print('alive')").startswith("finished")


def unanswered(route: Route) -> None:
    """Leave the browser waiting."""


def short(route: Route) -> None:
    whole = route.fetch()
    route.fulfill(response=whole, body=whole.body()[:1000])


@thorough
def test_python_loading_can_be_stopped_and_retried_after_truncation(
    newcomer: BrowserContext, address: str
) -> None:
    tab = newcomer.new_page()
    tab.goto(address + PAGE, wait_until="networkidle")
    block = cell(tab, 1)
    newcomer.route("**/pyodide.asm.wasm", unanswered)
    block.locator(".run").click()
    expect(block.locator(".state")).to_have_text("loading Python")
    assert_faultless(tab, "#block-1")
    block.locator(".stop").click()
    assert state(block) == "stopped"
    for file in ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide.mjs"):
        newcomer.route(f"**/{file}", short)
        # Not before: a page that waits for a reader could fetch it in between.
        newcomer.unroute("**/pyodide.asm.wasm", unanswered)
        assert re.search("could not be loaded.*Try again", run(block)), file
        newcomer.unroute(f"**/{file}", short)
    assert "same output" in run(block)
    # Nor is the script of a block there for good.
    tab.reload()
    newcomer.route("**/cell-*.js", lambda route: route.abort())
    block.locator(".run").click()
    expect(block.locator(".state")).to_contain_text("could not be loaded")


@thorough
def test_browser_without_webassembly_says_why_python_cannot_start(
    newcomer: BrowserContext, address: str
) -> None:
    tab = newcomer.new_page()
    tab.add_init_script("delete globalThis.WebAssembly")  # as careful settings do
    tab.goto(address + PAGE)
    assert "no WebAssembly, which Python needs: allow" in run(cell(tab, 1))


@thorough
def test_edited_block_is_restored_on_later_visits_until_reset(
    tab: Page, address: str
) -> None:
    """Also when blocks are put above it, and what was kept by the number of the block."""
    numbered = """(text) => {
        const original = document.querySelector("#block-4 .highlight code").textContent.trimEnd();
        localStorage.setItem("guide:/somewhere/#block-1", JSON.stringify({ original, text }));
    }"""
    tab.evaluate(numbered, "print('earlier')")
    write(cell(tab, 1), "print('mine')")

    def another_above(route: Route) -> None:
        html = route.fetch().text()
        route.fulfill(body=re.sub(r"\bblock-(\d)", r"block-1\1", html))

    tab.route(address + PAGE, another_above)
    for number, text in ((11, "print('mine')"), (14, "print('earlier')")):
        tab.goto(address + PAGE)
        block = cell(tab, number)
        assert text not in block.inner_text()
        block.locator(".edit").click()
        expect(block.locator(".cm-content")).to_have_text(text)
        expect(block.locator(".state")).to_contain_text("earlier visit")
        block.locator(".reset").click()
        block.locator(".edit").click()
        expect(block.locator(".cm-content")).not_to_have_text(text)
    keys = tab.evaluate("Object.keys(localStorage).filter(x => x.includes('block-'))")
    assert keys == []


def test_full_local_storage_is_reported_and_the_edited_block_still_runs(
    tab: Page,
) -> None:
    tab.evaluate(
        "() => { Storage.prototype.setItem ="
        " () => { throw new DOMException('', 'QuotaExceededError'); } }"
    )
    block = cell(tab, 1)
    write(block, "print('mine')")
    expect(block.locator(".state")).to_contain_text("no room")
    block.locator(".run").click()
    assert state(block).startswith("finished")


def test_block_can_be_edited_run_and_left_by_keyboard(tab: Page) -> None:
    block = cell(tab, 1)
    block.locator(".edit").focus()
    tab.keyboard.press("Enter")
    expect(block.locator(".cm-content")).to_be_focused()
    tab.keyboard.press("ControlOrMeta+a")
    tab.keyboard.type("if 1:\nprint('typed')")
    tab.keyboard.press("Shift+Enter")
    assert state(block).startswith("finished")
    assert printed(block) == "typed\n"
    tab.keyboard.press("Escape")
    expect(block.locator(".run")).to_be_focused()
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("Escape")
    expect(block.locator(".run")).to_be_focused()
    tab.keyboard.press("Control+Enter")
    expect(block.locator(".bar")).to_have_attribute("data-state", "done")


def test_copy_button_copies_the_edited_block(
    context: BrowserContext, tab: Page
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    write(cell(tab, 1), "print('mine')")
    cell(tab, 2).hover()
    cell(tab, 2).locator(".md-clipboard").click()
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("print('mine')\n")
    assert "def slope" in copied


@thorough
def test_error_names_and_marks_its_line_and_fits_a_phone(
    tab: Page,
) -> None:
    tab.set_viewport_size(PHONE)
    block = cell(tab, 1)
    raised = f"raise ValueError({'8' * 200!r})"
    write(block, f"print('{'9' * 200}')  # a comment\nif 1:\n    {raised}")
    assert_faultless(tab, "#block-1")
    block.locator(".run").click()
    assert state(block) == "ValueError, line 3"
    assert 'File "this block", line 3, in <module>' in printed(block)
    assert tab.evaluate(TOO_WIDE) <= 0
    assert_faultless(tab, "#block-1")
    output = tab.get_by_role("group", name="Output of block 1", exact=True)
    expect(output.first).to_be_visible()
    expect(block.locator(".cm-line.wrong")).to_have_text(f"    {raised}")
    block.locator(".cm-content").press("End")
    tab.keyboard.type(" ")
    expect(block.locator(".wrong")).to_have_count(0)


@thorough
def test_output_below_a_prediction_is_blurred_until_opened_or_run(
    tab: Page, address: str
) -> None:
    tab.goto(address + "transformer/heads-in-code/")
    cell = tab.locator(".predict + .cell").first
    answer = tab.locator(".predict:has(+ .cell) summary").first
    output = cell.locator(".output > code")
    expect(output).to_have_css("filter", "blur(5px)")
    answer.click()
    expect(output).to_have_css("filter", "none")
    answer.click()
    expect(output).to_have_css("filter", "blur(5px)")
    cell.locator(".run").click()
    expect(output).to_have_css("filter", "none")
