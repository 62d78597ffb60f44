"""What pages promise, in the engines of Firefox and Safari: all other tests are in that of Chrome.

Playwright can drive neither as installed. Firefox speaks WebDriver BiDi by itself, and
WebKitGTK comes with a WebDriver.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.marks import thorough
from tests.site.browsing import IS_SNAPSHOT_CACHED_JS, PYTHON_STARTS_JS, serve_folder

pytestmark = thorough

EDITOR = "#block-1 .cm-content"
BAR = "document.querySelector('#block-1 .cell-toolbar')"
PRINTED = "document.querySelector('#block-1 pre.output').textContent"
SAYS = "document.querySelector('.widget .says').textContent"
# Under a driver, and as root, WebKit has no sandbox.
UNBOXED = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}


@dataclass
class Engine:
    """A browser with one tab."""

    open: Callable[[str], object]  # go to a page, and wait until it has loaded
    run: Callable[[str], Any]  # run an async function's body; return what it returns

    def value(self, expression: str) -> Any:
        return self.run(f"return {expression}")

    def until(self, expression: str) -> Any:
        """Wait until an expression is true, and return its value."""
        end = time.monotonic() + 180
        while not (found := self.value(expression)):
            assert time.monotonic() < end, f"never came true: {expression}"
            time.sleep(0.05)
        return found

    def press(self, selector: str) -> None:
        """Click on the first visible element of a selector, as soon as there is one."""
        every = f"[...document.querySelectorAll({selector!r})]"
        found = f"{every}.find(each => each.checkVisibility())"
        self.until(f"!!{found}")
        self.run(f"{found}.click()")

    def write(self, selector: str, text: str) -> None:
        """Replace what stands in an editor or a field, as typing would."""
        self.until(f"!!document.querySelector({selector!r})")
        self.run(f"""
            const field = document.querySelector({selector!r});
            field.focus();
            document.execCommand("selectAll");
            document.execCommand("insertText", false, {text!r});
            field.dispatchEvent(new Event("keyup"));
        """)


@contextmanager
def begun(command: list[str], **more: str) -> Iterator[Iterator[str]]:
    """Start a program that runs as long as the block, and yield what it reports."""
    process = subprocess.Popen(
        command,
        text=True,
        env=os.environ | more,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            assert process.stderr is not None
            yield process.stderr
        finally:
            process.terminate()


@contextmanager
def firefox() -> Iterator[Engine]:
    program = shutil.which("firefox-esr") or "firefox"
    command = [program, "--headless", "--remote-debugging-port=0", "--profile"]
    with (
        tempfile.TemporaryDirectory() as profile,
        begun([*command, profile]) as lines,
    ):
        listening = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
        found = next(found for line in lines if (found := listening.search(line)))
        with connect(f"{found[1]}/session", max_size=None) as line:

            def ask(method: str, **parameters: Any) -> Any:
                line.send(json.dumps({"id": 1, "method": method, "params": parameters}))
                while "id" not in (answer := json.loads(line.recv())):
                    pass  # an event
                assert "result" in answer, answer
                return answer["result"]

            def run(script: str) -> Any:
                answer = ask(
                    "script.evaluate",
                    expression=f"(async () => {{ {script} }})()"
                    ".then(x => JSON.stringify(x ?? null))",
                    target={"context": tab},
                    awaitPromise=True,
                )
                assert answer["type"] == "success", answer
                return json.loads(answer["result"]["value"])

            def visit(address: str) -> None:
                there = {"context": tab, "url": address, "wait": "complete"}
                ask("browsingContext.navigate", **there)
                engine.until("location.href !== 'about:blank'")  # as a new tab is

            ask("session.new", capabilities={})
            # In the first tab the address bar keeps the focus.
            tab = ask("browsingContext.create", type="tab")["context"]
            engine = Engine(visit, run)
            yield engine


@contextmanager
def webkit() -> Iterator[Engine]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    driver = f"http://127.0.0.1:{port}/session"

    def ask(path: str, **parameters: Any) -> Any:
        request = urllib.request.Request(driver + path, json.dumps(parameters).encode())
        try:
            with urllib.request.urlopen(request, timeout=180) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def run(script: str) -> Any:
        whole = f"""
            const done = arguments[arguments.length - 1];
            (async () => {{ {script} }})().then(x => done([x ?? null]), x => done(`${{x}}`));
        """
        answer = ask("/execute/async", script=whole, args=[])
        assert isinstance(answer, list), answer
        return answer[0]

    screen = ["Xvfb", "-displayfd", "2", "-screen", "0", "1280x1024x24"]
    with begun(screen) as lines:
        display = next(line.strip() for line in lines if line.strip().isdigit())
        with begun(
            ["WebKitWebDriver", f"--port={port}"], DISPLAY=f":{display}", **UNBOXED
        ):
            program = next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))
            options = {"binary": str(program), "args": ["--automation"]}
            browser = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            for _ in range(100):
                try:
                    session = ask("", capabilities=browser)
                    break
                except urllib.error.URLError:  # the driver is not there yet
                    time.sleep(0.1)
            driver += f"/{session['sessionId']}"
            ask("/timeouts", script=120_000)
            ask("/window/rect", width=1280, height=1000)
            yield Engine(lambda address: ask("/url", url=address), run)
            urllib.request.urlopen(urllib.request.Request(driver, method="DELETE"))


PROGRAMS = {"firefox-esr": firefox, "WebKitWebDriver": webkit}


@pytest.fixture(scope="module", params=PROGRAMS)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A browser that has kept nothing when the first test begins."""
    if not (shutil.which(request.param) or shutil.which(request.param[:7])):
        reason = f"no {request.param} here: install it"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with PROGRAMS[request.param]() as browser:
        yield browser


def run(engine: Engine, ending: str = "done") -> str:
    """Run the first block until its bar says that it has ended so; return what it printed."""
    engine.run(f"delete {BAR}.dataset.state")
    engine.press("#block-1 .run")
    states = [ending, "done", "failed", "stopped"]
    state = engine.until(f"{states}.find(x => x === {BAR}.dataset.state)")
    assert state == ending, engine.value(f"{BAR}.textContent")
    return str(engine.value(PRINTED))


def test_block_runs_edits_and_stops_and_next_page_uses_the_snapshot(
    engine: Engine, address: str
) -> None:
    engine.open(f"{address}autograd/recording/")
    shown = engine.value(PRINTED)
    assert run(engine) == shown
    assert engine.value(f"{BAR}.textContent").count("same output") == 1
    engine.press("#block-1 .edit")
    engine.write(EDITOR, "print(6 * 7)")
    assert run(engine) == "42\n"
    # The same Python goes on, so that nobody has to wait for another; only a busy machine,
    # on which it takes seconds to stop, may have to start one.
    assert any(goes_on_after_a_stop(engine) for _ in range(3))
    engine.until(f"await {IS_SNAPSHOT_CACHED_JS}")
    engine.open(f"{address}autograd/value/")
    assert run(engine) == engine.value(PRINTED)
    assert engine.value(PYTHON_STARTS_JS) == [True]


def goes_on_after_a_stop(engine: Engine) -> bool:
    """Stop an endless loop and run another program; tell whether that is in the same Python."""
    before = engine.value(PYTHON_STARTS_JS)
    engine.write(EDITOR, "while True: pass")
    run(engine, "running")
    engine.press("#block-1 .stop")
    engine.until(f"{BAR}.dataset.state === 'stopped'")
    engine.write(EDITOR, "print('again')")
    return run(engine) == "again\n" and engine.value(PYTHON_STARTS_JS) == before


def come_alive(engine: Engine, address: str) -> None:
    """Open the page of a widget, and wait until its script has taken it over."""
    engine.open(address)
    engine.run("document.querySelector('.widget').scrollIntoView()")
    engine.until("'alive' in document.querySelector('.widget').dataset")


def test_widgets_respond_and_train(engine: Engine, address: str) -> None:
    come_alive(engine, f"{address}attention/what-changes/")
    before = engine.value(SAYS)
    engine.write(".widget input[type=text]", "na")
    engine.until(f"{SAYS} !== {before!r}")
    come_alive(engine, f"{address}adam/what-changes/")
    engine.press(".widget .train")
    engine.until(f"{SAYS}.startsWith('After ')")


def test_search_finds_a_page_and_colour_scheme_persists(
    engine: Engine, address: str
) -> None:
    engine.open(address)
    paper = "getComputedStyle(document.body).backgroundColor"
    before = engine.value(paper)
    for _ in range(3):  # the system's, light and dark, in some order
        engine.press(".color-scheme button")
        if engine.value(paper) != before:
            break
    after = engine.value(paper)
    assert after != before
    engine.open(f"{address}attention/scores/")
    assert engine.value(paper) == after
    # Formulas and terms are drawn here, too.
    style = "getComputedStyle(document.querySelector('article {}')).{}"
    for element in ("data", "a.term"):
        assert engine.value(style.format(element, "textDecorationStyle")) == "dotted"
    widths = "[...document.querySelectorAll('article math')].map(x => x.getBoundingClientRect().width)"
    assert min(engine.value(widths)) > 3
    engine.write(".md-search__input", "learning rate")
    engine.until("!!document.querySelector('.md-search-result__item a')")


def test_saved_site_works_without_the_network(engine: Engine, small_site: Path) -> None:
    with serve_folder(small_site) as address:
        engine.open(f"{address}autograd/recording/")
        engine.press(".offline .save-offline")
        engine.until("document.querySelector('.offline .save-offline').hidden")
    engine.open(f"{address}autograd/recording/")
    assert run(engine) == engine.value(PRINTED)
    engine.open(f"{address}autograd/order/")
    assert "order" in engine.value("document.title")
