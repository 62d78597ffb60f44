"""Runs blocks and the functions of widgets in the reader's browser, under Pyodide."""

import contextlib
import gc
import importlib
import io
import linecache
import logging
import os
import random
import re
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from types import ModuleType
from typing import Any, TypedDict

OURS = ("microgpt", "snippets", "widgets")
MOST_CHARACTERS = 100_000
RECURSION_LIMIT = sys.getrecursionlimit()
folder = tempfile.TemporaryDirectory()  # where the reader's code finds itself

ELSEWHERE = "copy the program and run it with Python on your own machine."
# What to do instead of what fails in a page, by the error that it ends with.
ADVICE = {
    "^EOFError$": "Nobody can type here: write the answer into the code.",
    "stack switch": f"A page can't run asyncio's event loop: {ELSEWHERE}",
    "start new thread|_multiprocessing|semaphores|support processes|Function not impl": (
        f"A block can't start threads or processes: call the function, or {ELSEWHERE}"
    ),
    "TLS not supported|Socket not connected|Remote end closed|NetworkError": (
        f"A block can't reach the network: write the data into it, or {ELSEWHERE}"
    ),
    r"No module named '(?!(microgpt|snippets)\b)|\bpip install ": (
        "A page has microgpt and Python's standard library, and can't install more: "
        f"{ELSEWHERE}"
    ),
    "^FileNotFoundError": (
        "Each run starts in an empty folder: write the file first, or call "
        "microgpt.load_names() for the names."
    ),
    "^RecursionError": "Calls are nested too deeply: check what ends them, or loop.",
    "^MemoryError|index-sized": (
        f"A page has less memory than your machine: keep less data, or {ELSEWHERE}"
    ),
    "^SystemExit": "The program ended itself here: remove that to run the rest.",
}


class Outcome(TypedDict):
    """How a run ended: `error` names what was raised; it is empty if nothing was.

    `hint` says what an exercise still lacks; it is empty once that is solved.
    """

    error: str
    traceback: str
    block: int | None
    line: int | None
    hint: str


class NoKeyboard(io.TextIOBase):
    """Tells a reader's code that nobody can type into it."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        """Refuse: `input()` asks here."""
        raise OSError("nobody can type here: write the answer into the code")

    read = readline


class Printed(io.TextIOBase):
    """Hands on what is printed, line by line, until it is too much to read."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self.send = send
        self.held = ""
        self.left = MOST_CHARACTERS
        self.sent = time.monotonic()

    def write(self, text: str) -> int:
        """Hold text back until its line ends, or a tenth of a second has passed."""
        self.held += text
        if "\n" in text or time.monotonic() - self.sent > 0.1:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Hand on what is held."""
        held, self.held = self.held, ""
        if not held or self.left < 0:
            return
        shown = held[: self.left]
        self.left -= len(held)
        if self.left < 0:
            shown += f"\n… nothing more is shown after {MOST_CHARACTERS:,} characters\n"
        self.send(shown)
        self.sent = time.monotonic()


@contextlib.contextmanager
def own_modules() -> Iterator[None]:
    """Let a reader's code have modules of its own, which it may change.

    Widgets then find theirs again, with all that they have computed. Where none has been
    asked yet, the reader's code takes those that are there: to import them takes time.
    """
    kept = taken_out()
    if "widgets" not in kept:
        sys.modules.update(kept)
        kept = {}
    try:
        yield
    finally:
        taken_out()
        sys.modules.update(kept)


@contextlib.contextmanager
def own_python() -> Iterator[None]:
    """Undo what a reader's code does to Python itself, such as a function replaced.

    What it was the first to import goes; what was there before is as it was.
    """
    modules = {k: m for k, m in sys.modules.items() if k.partition(".")[0] not in OURS}
    owners: list[ModuleType | type] = []
    for module in modules.values():
        # Not JavaScript, nor this module, whose folder is another for each run
        if isinstance(module, ModuleType) and module is not sys.modules[__name__]:
            defined = (x for x in vars(module).values() if isinstance(x, type))
            owners += (x for x in defined if x.__module__ == module.__name__)
            owners.append(module)
    kept = [(owner, dict(vars(owner))) for owner in owners]
    environment, path = dict(os.environ), [*sys.path]
    root = logging.root
    logs = [*root.handlers], root.level, root.manager.disable
    random.seed()
    try:
        with warnings.catch_warnings():
            yield
    finally:
        for name in [*sys.modules]:
            if name not in modules and name.partition(".")[0] not in OURS:
                del sys.modules[name]
        sys.modules.update(modules)
        for owner, names in kept:
            restore(owner, names)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:] = path
        root.handlers[:], root.level, root.manager.disable = logs


def restore(owner: ModuleType | type, names: Mapping[str, object]) -> None:
    """Give a module or a class the names that it had, whatever an `__eq__` says."""
    now = vars(owner)
    for name in {*now, *names}:
        if name in now and name in names and now[name] is names[name]:
            continue  # which is so of nearly all: `suppress` takes time
        with contextlib.suppress(AttributeError, TypeError):  # what nobody can change
            if name not in names:
                delattr(owner, name)
            else:
                setattr(owner, name, names[name])


def taken_out() -> dict[str, ModuleType]:
    """Take our modules out, so that whoever imports them next gets new ones."""
    names = [name for name in sys.modules if name.partition(".")[0] in OURS]
    return {name: sys.modules.pop(name) for name in names}


@own_modules()
@own_python()
def run(
    blocks: Iterable[str],
    begin: Callable[[int], object],
    send: Callable[[int, str], object],
    exercise: str | None = None,
) -> Outcome:
    """Run blocks one after another in one new namespace, as if nothing ran before.

    `begin` is told when a block begins, `send` what it prints. A block that raises
    ends the run; the outcome says where, in lines of that block. An exercise is checked
    once its blocks have run.
    """
    start_afresh()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    outcome = Outcome(error="", traceback="", block=None, line=None, hint="")
    codes = list(blocks)
    for number, code in enumerate(codes):
        begin(number)
        printed = Printed(partial(send, number))
        alone = len(codes) == 1
        name = "this block" if alone else f"block {number + 1} of {len(codes)}"
        lines = code.splitlines(keepends=True)
        linecache.cache[name] = (len(code), None, lines, name)
        try:
            sys.stdin = NoKeyboard()
            with redirect_stdout(printed), redirect_stderr(printed):
                exec(compile(code, name, "exec"), namespace)  # noqa: S102
                if exercise is not None and number == len(codes) - 1:
                    exercises = importlib.import_module("snippets.exercises")
                    outcome["hint"] = exercises.hint(exercise, namespace)
        except BaseException as error:  # noqa: BLE001  (a reader's code raises anything)
            report, line = explain(error, name)
            name = type(error).__name__
            outcome = Outcome(
                error=name, traceback=report, block=number, line=line, hint=""
            )
        printed.flush()
        if outcome["error"]:
            break
    sys.settrace(None)
    dismantle()
    return outcome


def call(name: str, parameters: Any) -> dict[str, Any]:
    """Call the function `name` of the module `widgets.name.model` with named parameters.

    A ValueError means that the parameters are wrong; anything else that it raises is a
    mistake in it.
    """
    start_afresh()
    given = parameters if isinstance(parameters, dict) else parameters.to_py()
    function = getattr(importlib.import_module(f"widgets.{name}.model"), name)
    try:
        return {"result": function(**given)}
    except ValueError as error:
        at = getattr(error, "position", None)
        return {"refused": {"reason": str(error), "at": at}}


def start_afresh() -> None:
    """Undo what an earlier run may have changed for all that follow."""
    global folder
    sys.settrace(None)
    sys.setrecursionlimit(RECURSION_LIMIT)
    gc.enable()
    os.chdir("/")
    folder.cleanup()
    folder = tempfile.TemporaryDirectory()
    os.chdir(folder.name)


def dismantle() -> None:
    """Take graphs of `Value`s apart before they are freed.

    Freeing a long chain frees each child inside its parent, deeper than the stack
    of a browser allows.
    """
    package = sys.modules.get("microgpt.autograd")
    value = getattr(package, "Value", None)
    for thing in gc.get_objects():
        kind = type(thing)
        of_reader = kind.__module__ == "__main__" and kind.__name__ == "Value"
        if kind is value or of_reader:
            with contextlib.suppress(Exception):  # a reader's may be anything
                thing._children = ()


def explain(error: BaseException, block: str) -> tuple[str, int | None]:
    """Return a traceback that begins in the block, with advice, and the line that failed."""
    below = error.__traceback__
    while below is not None and below.tb_frame.f_code.co_filename != block:
        below = below.tb_next
    report = traceback.TracebackException(type(error), error, below)
    lines = [frame.lineno for frame in report.stack if frame.filename == block]
    line = lines[-1] if lines else None
    if isinstance(error, SyntaxError) and error.filename == block:
        line = error.lineno
    said = "".join(report.format_exception_only())
    advice = (f"{ADVICE[x]}\n" for x in ADVICE if re.search(x, said, re.MULTILINE))
    text = "".join([*report.format(), next(advice, "")])
    return text.replace("/guide/", ""), line
