"""Main flows in Firefox and WebKit; all other tests run in Chromium.

Playwright can drive neither as installed. Firefox speaks WebDriver BiDi by itself, and
WebKitGTK comes with a WebDriver.
"""

import json
import os
import re
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.marks import thorough
from tests.site.browsing import FROM_SNAPSHOT_JS, IS_SNAPSHOT_CACHED_JS, serve_folder

pytestmark = thorough

EDITOR_CSS = "#block-1 .cm-content"
BAR_JS = "document.querySelector('#block-1 .cell-toolbar')"
OUTPUT_JS = "document.querySelector('#block-1 pre.output').textContent"
CAPTION_JS = "document.querySelector('.widget .caption').textContent"


@dataclass
class DrivenBrowser:
    """A browser with one tab, driven by JavaScript."""

    open: Callable[[str], object]  # goes to an address, and waits until it has loaded
    # Runs the body of an async function, and returns its result
    run_script: Callable[[str], Any]

    def evaluate(self, expression: str) -> Any:
        return self.run_script(f"return {expression}")

    def wait_for_value(self, expression: str) -> Any:
        """Wait until an expression is truthy; return its value."""
        end = time.monotonic() + 180
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                raise AssertionError(
                    f"{expression} stayed {value}: {self.page_state()}"
                )
            time.sleep(0.05)
        return value

    def page_state(self) -> Any:
        """Return what the page shows and has loaded, for the message of a failed wait."""
        return self.evaluate("""[
            location.href, document.title, document.readyState,
            document.body.textContent.replace(/\\s+/g, " ").slice(0, 200),
            navigator.serviceWorker?.controller?.state ?? "no service worker",
            performance.getEntriesByType("resource")
                .map((each) => `${each.name} ${each.responseStatus} ${each.transferSize}`),
        ]""")

    def click(self, selector: str) -> None:
        """Wait for a visible element of a selector, and click on it."""
        matches = f"[...document.querySelectorAll({selector!r})]"
        visible_match = f"{matches}.find(each => each.checkVisibility())"
        self.wait_for_value(f"!!{visible_match}")
        self.run_script(f"{visible_match}.click()")

    def type_into(self, selector: str, text: str) -> None:
        """Replace the text of an editor or field, as typing would."""
        self.wait_for_value(f"!!document.querySelector({selector!r})")
        self.run_script(f"""
            const field = document.querySelector({selector!r});
            field.focus();
            document.execCommand("selectAll");
            document.execCommand("insertText", false, {text!r});
            field.dispatchEvent(new Event("keyup"));
        """)


@contextmanager
def stream_stderr(command: list[str], **environment: str) -> Iterator[Iterator[str]]:
    """Run a program while the `with` block runs; yield the lines of its stderr."""
    env = os.environ | environment
    with Popen(command, text=True, env=env, stdout=DEVNULL, stderr=PIPE) as process:
        try:
            assert process.stderr is not None
            yield process.stderr
        finally:
            process.terminate()


@contextmanager
def start_firefox() -> Iterator[DrivenBrowser]:
    program = shutil.which("firefox-esr") or "firefox"
    command = [program, "--headless", "--remote-debugging-port=0", "--profile"]
    with TemporaryDirectory() as profile, stream_stderr([*command, profile]) as lines:
        listening = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
        match = next(match for line in lines if (match := listening.search(line)))
        with connect(f"{match[1]}/session", max_size=None) as line:

            def send(method: str, **parameters: Any) -> Any:
                line.send(json.dumps({"id": 1, "method": method, "params": parameters}))
                while "id" not in (answer := json.loads(line.recv())):
                    pass  # an event
                assert "result" in answer, answer
                return answer["result"]

            def run_script(script: str) -> Any:
                result = f"(async () => {{ {script} }})()"
                expression = f"{result}.then(x => JSON.stringify(x ?? null))"
                parameters = {"expression": expression, "target": {"context": tab}}
                answer = send("script.evaluate", awaitPromise=True, **parameters)
                assert answer["type"] == "success", answer
                return json.loads(answer["result"]["value"])

            def open_address(address: str) -> None:
                target = {"context": tab, "url": address, "wait": "complete"}
                send("browsingContext.navigate", **target)
                browser.wait_for_value("location.href !== 'about:blank'")  # a new tab

            send("session.new", capabilities={})
            # In the first tab the address bar keeps the focus.
            tab = send("browsingContext.create", type="tab")["context"]
            browser = DrivenBrowser(open_address, run_script)
            yield browser


@contextmanager
def start_webkit() -> Iterator[DrivenBrowser]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    driver = f"http://127.0.0.1:{port}/session"

    def post(path: str, **parameters: Any) -> Any:
        request = urllib.request.Request(driver + path, json.dumps(parameters).encode())
        try:
            with urllib.request.urlopen(request, timeout=180) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def run_script(script: str) -> Any:
        wrapped = f"""
            const done = arguments[arguments.length - 1];
            (async () => {{ {script} }})().then(x => done([x ?? null]), x => done(`${{x}}`));
        """
        answer = post("/execute/async", script=wrapped, args=[])
        assert isinstance(answer, list), answer
        return answer[0]

    screen = ["Xvfb", "-displayfd", "2", "-screen", "0", "1280x1024x24"]
    with stream_stderr(screen) as lines:
        display = next(line.strip() for line in lines if line.strip().isdigit())
        environment = {"DISPLAY": f":{display}"}
        # Under a driver, and as root, WebKit has no sandbox.
        environment["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        with stream_stderr(["WebKitWebDriver", f"--port={port}"], **environment):
            program = next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))
            options = {"binary": str(program), "args": ["--automation"]}
            capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            for _ in range(100):
                try:
                    session = post("", capabilities=capabilities)
                    break
                except urllib.error.URLError:  # the driver is not there yet
                    time.sleep(0.1)
            driver += f"/{session['sessionId']}"
            post("/timeouts", script=120_000)
            post("/window/rect", width=1280, height=1000)
            yield DrivenBrowser(lambda address: post("/url", url=address), run_script)
            urllib.request.urlopen(urllib.request.Request(driver, method="DELETE"))


@pytest.fixture(scope="module", params=["firefox-esr", "WebKitWebDriver"])
def browser(request: pytest.FixtureRequest) -> Iterator[DrivenBrowser]:
    """A new browser for all tests of this file."""
    if not (shutil.which(request.param) or shutil.which(request.param[:7])):
        reason = f"no {request.param} here: install it"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    start = start_firefox if request.param == "firefox-esr" else start_webkit
    with start() as browser:
        yield browser


def run_first_block(browser: DrivenBrowser, ending: str = "done") -> str:
    """Run the first block until it has this final state; return its output."""
    browser.wait_for_value(f"{BAR_JS} !== null")  # scripts add it to the page
    browser.run_script(f"delete {BAR_JS}.dataset.state")
    browser.click("#block-1 .run")
    states = [ending, "done", "failed", "stopped"]
    state = browser.wait_for_value(f"{states}.find(x => x === {BAR_JS}.dataset.state)")
    assert state == ending, browser.evaluate(f"{BAR_JS}.textContent")
    return str(browser.evaluate(OUTPUT_JS))


def test_block_runs_is_edited_and_stops(browser: DrivenBrowser, address: str) -> None:
    browser.open(f"{address}autograd/recording/")
    shown = browser.evaluate(OUTPUT_JS)
    assert run_first_block(browser) == shown
    assert browser.evaluate(f"{BAR_JS}.textContent").count("same output") == 1
    browser.click("#block-1 .edit")
    browser.type_into(EDITOR_CSS, "print(6 * 7)")
    assert run_first_block(browser) == "42\n"
    # After Stop, the same Python goes on. Only a busy machine, on which stopping takes
    # seconds, may have to start another.
    assert any(is_python_kept_after_stop(browser) for _ in range(3))
    browser.wait_for_value(f"await {IS_SNAPSHOT_CACHED_JS}")
    browser.open(f"{address}autograd/value/")
    assert run_first_block(browser) == browser.evaluate(OUTPUT_JS)
    assert browser.evaluate(FROM_SNAPSHOT_JS) == [True]


def is_python_kept_after_stop(browser: DrivenBrowser) -> bool:
    """Stop an endless loop and run a program; return whether the same Python ran it."""
    before = browser.evaluate(FROM_SNAPSHOT_JS)
    browser.type_into(EDITOR_CSS, "while True: pass")
    run_first_block(browser, "running")
    browser.click("#block-1 .stop")
    browser.wait_for_value(f"{BAR_JS}.dataset.state === 'stopped'")
    browser.type_into(EDITOR_CSS, "print('again')")
    printed = run_first_block(browser)
    return printed == "again\n" and browser.evaluate(FROM_SNAPSHOT_JS) == before


def open_widget(browser: DrivenBrowser, address: str) -> None:
    """Open the page of a widget, and wait until it is interactive."""
    browser.open(address)
    browser.run_script("document.querySelector('.widget').scrollIntoView()")
    browser.wait_for_value("'hydrated' in document.querySelector('.widget').dataset")


def test_widgets_respond_and_train(browser: DrivenBrowser, address: str) -> None:
    open_widget(browser, f"{address}attention/what-changes/")
    before = browser.evaluate(CAPTION_JS)
    browser.type_into(".widget input[type=text]", "na")
    browser.wait_for_value(f"{CAPTION_JS} !== {before!r}")
    open_widget(browser, f"{address}adam/what-changes/")
    browser.click(".widget .train-button")
    browser.wait_for_value(f"{CAPTION_JS}.startsWith('After ')")


def test_search_and_colour_scheme_work(browser: DrivenBrowser, address: str) -> None:
    browser.open(address)
    paper = "getComputedStyle(document.body).backgroundColor"
    before = browser.evaluate(paper)
    for _ in range(3):  # the system's, light and dark, in some order
        browser.click(".color-scheme button")
        if browser.evaluate(paper) != before:
            break
    after = browser.evaluate(paper)
    assert after != before
    browser.open(f"{address}attention/scores/")
    assert browser.evaluate(paper) == after
    # Formulas and terms are drawn here, too.
    for element in ("data", "a.term"):
        style = f"getComputedStyle(document.querySelector('article {element}'))"
        assert browser.evaluate(f"{style}.textDecorationStyle") == "dotted"
    widths = "[...document.querySelectorAll('article math')].map(x => x.getBoundingClientRect().width)"
    assert min(browser.evaluate(widths)) > 3
    browser.type_into(".md-search__input", "learning rate")
    browser.wait_for_value("!!document.querySelector('.md-search-result__item a')")


def test_saved_site_works_offline(browser: DrivenBrowser, small_site: Path) -> None:
    with serve_folder(small_site) as address:
        browser.open(f"{address}autograd/recording/")
        browser.click(".save-offline")
        browser.wait_for_value("document.querySelector('.save-offline').hidden")
    browser.open(f"{address}autograd/recording/")
    assert run_first_block(browser) == browser.evaluate(OUTPUT_JS)
    browser.open(f"{address}autograd/order/")
    assert "order" in browser.evaluate("document.title")
