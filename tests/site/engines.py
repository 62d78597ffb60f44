"""Browsers of engines that Playwright cannot drive as installed, as W3C's protocols let us.

Firefox speaks WebDriver BiDi by itself, WebKitGTK comes with a WebDriver.
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
from abc import ABC, abstractmethod
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

CENTRE = """
const found = [...document.querySelectorAll(SELECTOR)].find(x => x.checkVisibility());
if (!found) return null;
found.scrollIntoView({ block: "center", behavior: "instant" });
const { x, y, width, height } = found.getBoundingClientRect();
return [Math.round(x + width / 2), Math.round(y + height / 2)];
"""


class Engine(ABC):
    """A browser with one tab."""

    def __init__(self) -> None:
        self.closing = ExitStack()

    @abstractmethod
    def open(self, address: str) -> None:
        """Go to a page, and wait until it has loaded."""

    @abstractmethod
    def run(self, script: str) -> Any:
        """Run the body of an async function in the page; return what it returns."""

    @abstractmethod
    def act(self, kind: str, actions: list[dict[str, object]]) -> None:
        """Do what a device of this kind does: a pointer, or a keyboard."""

    def click(self, x: int, y: int) -> None:
        press = [{"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")]
        self.act("pointer", [{"type": "pointerMove", "x": x, "y": y}, *press])

    def type(self, keys: str) -> None:
        """Press keys, one after another, where the focus is."""
        ways = ("keyDown", "keyUp")
        self.act("key", [{"type": way, "value": key} for key in keys for way in ways])

    def close(self) -> None:
        self.closing.close()

    def value(self, expression: str) -> Any:
        return self.run(f"return {expression}")

    def press(self, selector: str) -> None:
        """Click on the first visible element of a selector, as soon as there is one."""
        script = CENTRE.replace("SELECTOR", json.dumps(selector))
        self.click(*self.wait(script))

    def until(self, expression: str, seconds: float = 180) -> Any:
        return self.wait(f"return {expression}", seconds)

    def wait(self, script: str, seconds: float = 180) -> Any:
        """Run a script until it returns something true, and return that."""
        end = time.monotonic() + seconds
        while not (found := self.run(script)):
            assert time.monotonic() < end, f"never came true: {script}"
            time.sleep(0.05)
        return found

    def begin(self, command: list[str], **options: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            command,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            **options,
        )
        self.closing.callback(process.wait)
        self.closing.callback(process.terminate)
        return process


class Firefox(Engine):
    def __init__(self) -> None:
        super().__init__()
        profile = self.closing.enter_context(tempfile.TemporaryDirectory())
        program = shutil.which("firefox-esr") or shutil.which("firefox") or "firefox"
        begun = self.begin(
            [program, "--headless", "--remote-debugging-port=0", "--profile", profile]
        )
        assert begun.stderr is not None
        for line in begun.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise AssertionError("Firefox does not listen")
        self.line: ClientConnection = self.closing.enter_context(
            connect(f"{found[1]}/session", max_size=None)
        )
        self.asked = 0
        self.ask("session.new", capabilities={})
        # In the first tab the address bar keeps the focus.
        self.tab = self.ask("browsingContext.create", type="tab")["context"]

    def ask(self, method: str, **parameters: Any) -> Any:
        self.asked += 1
        question = {"id": self.asked, "method": method, "params": parameters}
        self.line.send(json.dumps(question))
        while (answer := json.loads(self.line.recv())).get("id") != self.asked:
            pass
        assert "result" in answer, answer
        return answer["result"]

    def open(self, address: str) -> None:
        self.ask(
            "browsingContext.navigate", context=self.tab, url=address, wait="complete"
        )
        self.until("location.href !== 'about:blank'")  # which a new tab is for a while

    def run(self, script: str) -> Any:
        inner = f"(async () => {{ {script} }})()"
        answer = self.ask(
            "script.evaluate",
            expression=f"{inner}.then(x => JSON.stringify(x ?? null))",
            target={"context": self.tab},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def act(self, kind: str, actions: list[dict[str, object]]) -> None:
        source = {"type": kind, "id": kind, "actions": actions}
        self.ask("input.performActions", context=self.tab, actions=[source])


class WebKit(Engine):
    def __init__(self) -> None:
        super().__init__()
        screen = self.begin(["Xvfb", "-displayfd", "2", "-screen", "0", "1280x1024x24"])
        assert screen.stderr is not None
        number = next(line for line in screen.stderr if line.strip().isdigit())
        environment = {
            **os.environ,
            "DISPLAY": f":{number.strip()}",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # as root it has none
        }
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.begin(["WebKitWebDriver", f"--port={port}"], env=environment)
        self.driver = f"http://127.0.0.1:{port}/session"
        program = next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))
        options = {"binary": str(program), "args": ["--automation"]}
        always = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self.ask("", capabilities=always)
        self.driver += f"/{session['sessionId']}"
        self.closing.callback(self.ask, "", "DELETE")
        self.ask("/timeouts", script=120_000)
        self.ask("/window/rect", width=1280, height=1000)

    def ask(self, path: str, method: str = "POST", **parameters: Any) -> Any:
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(self.driver + path, body, method=method)
        for _ in range(100):
            try:
                with urllib.request.urlopen(request, timeout=180) as answer:
                    return json.load(answer)["value"]
            except urllib.error.HTTPError as error:
                raise AssertionError(error.read().decode()) from None
            except urllib.error.URLError:  # the driver is not there yet
                time.sleep(0.1)
        raise AssertionError("the driver of WebKit does not answer")

    def open(self, address: str) -> None:
        self.ask("/url", url=address)

    def run(self, script: str) -> Any:
        inner = f"(async () => {{ {script} }})()"
        whole = f"""
            const done = arguments[arguments.length - 1];
            {inner}.then(x => done([x ?? null]), x => done(`${{x}}`));
        """
        answer = self.ask("/execute/async", script=whole, args=[])
        assert isinstance(answer, list), answer
        return answer[0]

    def act(self, kind: str, actions: list[dict[str, object]]) -> None:
        self.ask("/actions", actions=[{"type": kind, "id": kind, "actions": actions}])
