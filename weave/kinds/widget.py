"""Widgets: pictures to play with, whose numbers a Python function computes."""

import ast
import atexit
import contextlib
import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import yaml

from weave.bundle import edition
from weave.errors import WeaveError
from weave.files import State, state
from weave.findings import Finding, Results
from weave.guide import Guide, link
from weave.kinds.kind import Kind, View
from weave.kinds.listing import Listing, homes
from weave.page import Page
from weave.process import environment

TIME_LIMIT = 120  # seconds
CALL = """
import json, sys
from importlib import import_module
from runtime.runner import call
def drawn(name, *given):
    return {"result": str(import_module(f"pictures.{name}").draw(*given))}
answers, sys.stdout = sys.stdout, sys.stderr  # a function may print
for line in sys.stdin:
    try:
        asked = json.loads(line)
        match asked:
            case str(): answer = drawn(asked)
            case dict(): answer = drawn("series", asked)
            case _: answer = call(*asked)
        answer = json.dumps(answer, allow_nan=False)
    except BaseException as error:
        answer = json.dumps({"error": f"{type(error).__name__}: {error}"})
    print(answer, file=answers, flush=True)
"""


class Widget(Kind):
    """A widget: its name, then parameters of its Python function, each on a line."""

    language = "widget"
    what = "a picture to play with"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.fence.body[0] if self.fence.body else ""

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """What it begins with."""
        try:
            said = yaml.safe_load("\n".join(self.fence.body[1:])) or {}
        except yaml.YAMLError:
            said = None
        if not re.fullmatch(r"[a-z_]+", self.name) or not isinstance(said, dict):
            what = "a widget has a name on its first line, and below it 'key: value'"
            raise self.error(what)
        return said

    def read(self) -> None:
        """Refuse what names no widget."""
        self.parameters  # noqa: B018  (raises)

    @property
    def question(self) -> list[Any]:
        """What is called, and with what."""
        return [self.name, self.parameters]

    def result(self, guide: Guide) -> Any:
        """Call the widget's Python function as a reader's browser does."""
        for part in (model(self.name), view_of(self.name)):
            if not (guide.root / part).is_file():
                raise self.error(f"there is no widget {self.name!r}: {part} is missing")
        answer = answers(guide.root).ask(self.question).result()
        complaint = answer.get("error") or answer.get("refused", {}).get("reason")
        if complaint:
            raise self.error(f"the widget {self.name!r}: {complaint}")
        return answer["result"]

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Find a widget that can't be computed."""
        self.result(guide)
        return iter(())

    def html(self, view: View) -> list[str]:
        """Draw its first picture, with all that it needs to come alive."""
        result = self.result(view.guide)
        given = {"parameters": self.parameters, "result": result}
        shown = given
        if home := self._home(view.guide, result):
            # Data are left alone; in the picture, links are as the builder wants them.
            title = view.guide.place(home.page.path)
            path = link(self.page.path, home.page.path, finished=True)
            there = view.to(home.page.path, home.anchor)
            given = {**given, "home": {"href": f"{path}#{home.anchor}", "title": title}}
            shown = {**given, "home": {"href": there, "title": title}}
        picture = view.draw(self.line, "widget", name=self.name, given=shown)
        if picture is None:
            said = "Here stands a picture that needs the built web assets."
            return [view.stash(f"<p>{said}</p>")]
        data = json.dumps(given, separators=(",", ":")).replace("<", "\\u003c")
        label = escape(about(view.guide.root, self.name), quote=True)
        dressed = (view.guide.root / style(self.name)).is_file()
        sheet = view.stylesheet(f"widgets/{self.name}.css") if dressed else ""
        return [
            view.stash(
                f"{sheet}"
                f'<figure class="widget {self.name}" data-widget="{self.name}" '
                f'data-edition="{view.edition}" data-search-exclude '
                f'aria-label="{label}">'
                f'<div class="stage">{picture}</div>'
                '<p class="state" role="status"></p>'
                f'<script type="application/json">{data}</script></figure>'
            )
        ]

    def _home(self, guide: Guide, result: Any) -> Listing | None:
        """Return where the line that a widget's result names is explained."""
        line = result.get("source_line") if isinstance(result, dict) else None
        if line is None:
            return None
        place = (Path(line["path"]), line["number"])
        if place not in homes(guide):
            message = f"no page explains line {place[1]} of {place[0]}"
            raise self.error(message)
        return homes(guide)[place]

    @classmethod
    def counts(cls) -> dict[str, Callable[[Guide], int]]:
        """Count the widgets that there are, wherever they are shown."""
        return {
            "widgets": lambda guide: len(list(guide.root.glob(model("*").as_posix())))
        }


def model(name: str) -> Path:
    """Return the file of a widget's Python function."""
    return Path("web", "widgets", name, "model.py")


def view_of(name: str) -> Path:
    """Return the file of a widget's view."""
    return Path("web", "widgets", name, "view.tsx")


def style(name: str) -> Path:
    """Return the file of a widget's own style, which not each has."""
    return Path("web", "widgets", name, "style.css")


def about(root: Path, name: str) -> str:
    """Return what a widget shows: the first sentence of its Python, without marks."""
    said = ast.get_docstring(ast.parse((root / model(name)).read_text("utf-8"))) or ""
    return said.partition("\n")[0].rstrip(".").replace("`", "")


class Answers:
    """What widgets' and pictures' functions give; one process answers in turn.

    It lives as long as the Python that it knows: another edition needs another.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._line = ThreadPoolExecutor(1)  # where questions wait
        self._asked: dict[str, Future[dict[str, Any]]] = {}
        self._process: subprocess.Popen[str] | None = None

    def ask(self, what: str | dict[str, Any] | list[Any]) -> Future[dict[str, Any]]:
        """Return what a picture, a plot, or a widget with parameters will be given."""
        question = json.dumps(what)
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


def ask_ahead(root: Path, pages: Iterable[Page]) -> None:
    """Let the widgets of many pages be computed while the pages are rendered."""
    asked = answers(root)
    for page in pages:
        for widget in Widget.on(page):
            with contextlib.suppress(WeaveError):  # told when its page is rendered
                asked.ask(widget.question)


_latest: dict[Path, tuple[tuple[str, State], Answers]] = {}


def answers(root: Path) -> Answers:
    """Return what answers for the Python of a project as it stands now."""
    now = edition(root), state(root, "web/pictures")
    known, process = _latest.get(root, (None, None))
    if process is None or known != now:
        if process is not None:
            process.close()
        process = Answers(root)
        _latest[root] = now, process
    return process
