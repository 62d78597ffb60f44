"""Widgets: what a fence says, and what the widget's Python function makes of it."""

from __future__ import annotations

import ast
import atexit
import contextlib
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from weave.bundle import edition
from weave.errors import WeaveError
from weave.page import Fence, Page
from weave.process import environment

TIME_LIMIT = 120  # seconds
CALL = """
import json, sys
from live.runner import call
answers, sys.stdout = sys.stdout, sys.stderr  # a function may print
for line in sys.stdin:
    try:
        answer = json.dumps(call(*json.loads(line)), allow_nan=False)
    except BaseException as error:
        answer = json.dumps({"error": f"{type(error).__name__}: {error}"})
    print(answer, file=answers, flush=True)
"""


@dataclass(frozen=True)
class Widget:
    """The name of a widget and the parameters of its Python function."""

    name: str
    parameters: dict[str, Any]


def read_widget(page: Page, fence: Fence) -> Widget:
    """Read a `widget` fence: a name, then parameters, each on a line."""
    name, *rest = fence.body or [""]
    try:
        parameters = yaml.safe_load("\n".join(rest)) or {}
    except yaml.YAMLError:
        parameters = None
    if not re.fullmatch(r"[a-z_]+", name) or not isinstance(parameters, dict):
        message = "a widget has a name on its first line, and below it 'key: value'"
        raise page.error(message, fence.line)
    return Widget(name, parameters)


def about(root: Path, widget: Widget) -> str:
    """Return what a widget shows: the first sentence of its Python, without marks."""
    path = root / "web" / "widgets" / f"{widget.name}.py"
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0].rstrip(".").replace("`", "")


class Answers:
    """What widgets' Python functions give, from a process that answers one by one.

    It lives as long as the Python that it knows: another edition needs another.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._line = ThreadPoolExecutor(1)  # where questions wait
        self._asked: dict[str, Future[dict[str, Any]]] = {}
        self._process: subprocess.Popen[str] | None = None

    def ask(self, widget: Widget) -> Future[dict[str, Any]]:
        """Return what a widget will be given, once its turn has come."""
        question = json.dumps([widget.name, widget.parameters])
        if question not in self._asked:
            self._asked[question] = self._line.submit(self._answer, question)
        return self._asked[question]

    def close(self) -> None:
        """End the process, and forget what nobody has waited for."""
        self._line.shutdown(wait=False, cancel_futures=True)
        if self._process is not None:
            self._process.kill()

    def _answer(self, question: str) -> dict[str, Any]:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = self._start()
        assert process.stdin and process.stdout
        late = threading.Timer(TIME_LIMIT, process.kill)
        late.start()
        try:
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        except BrokenPipeError:
            reply = ""
        finally:
            in_time = not late.finished.is_set()
            late.cancel()
        if not reply:
            process.wait()
            limit = f"its function ran for more than {TIME_LIMIT} s"
            return {"error": "Python stopped" if in_time else limit}
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", CALL],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=environment(self.root, self.root / "web"),
        )
        atexit.register(process.kill)
        return process


def result_of(root: Path, page: Page, fence: Fence) -> Any:
    """Call the widget's Python function as a reader's browser does."""
    widget = read_widget(page, fence)
    if not (root / "web" / "widgets" / f"{widget.name}.py").is_file():
        raise page.error(f"there is no widget {widget.name!r}", fence.line)
    answer = answers(root).ask(widget).result()
    complaint = answer.get("error") or answer.get("refused", {}).get("reason")
    if complaint:
        raise page.error(f"the widget {widget.name!r}: {complaint}", fence.line)
    return answer["result"]


def ask_ahead(root: Path, pages: Iterable[Page]) -> None:
    """Let the widgets of many pages be computed while the pages are rendered."""
    asked = answers(root)
    for page in pages:
        for fence in page.fences:
            if fence.language == "widget":
                with contextlib.suppress(WeaveError):  # told when its page is rendered
                    asked.ask(read_widget(page, fence))


_latest: dict[Path, tuple[str, Answers]] = {}


def answers(root: Path) -> Answers:
    """Return what answers for the Python of a project as it stands now."""
    now = edition(root)
    known, process = _latest.get(root, ("", None))
    if process is None or known != now:
        if process is not None:
            process.close()
        process = Answers(root)
        _latest[root] = now, process
    return process
