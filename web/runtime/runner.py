"""Runs blocks of code and widgets' functions in the reader's browser, under Pyodide."""

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
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from types import ModuleType
from typing import Any, TypedDict

MAX_OUTPUT_CHARACTERS = 100_000
FLUSH_INTERVAL_SECONDS = 0.1
INITIAL_RECURSION_LIMIT = sys.getrecursionlimit()
run_folder = tempfile.TemporaryDirectory()  # the working directory of a run

RUN_LOCALLY = "copy the program and run it with Python on your own machine."
# What to do instead, by a regular expression for the last lines of a traceback.
ADVICE_BY_ERROR = {
    "^EOFError$": "Nobody can type here: write the answer into the code.",
    "stack switch": f"A page can't run asyncio's event loop: {RUN_LOCALLY}",
    "start new thread|_multiprocessing|semaphores|support processes|Function not impl": (
        f"A block can't start threads or processes: call the function, or {RUN_LOCALLY}"
    ),
    "TLS not supported|Socket not connected|Remote end closed|NetworkError": (
        f"A block can't reach the network: write the data into it, or {RUN_LOCALLY}"
    ),
    r"No module named '(?!(microgpt|snippets)\b)|\bpip install ": (
        "A page has microgpt and Python's standard library, and can't install more: "
        f"{RUN_LOCALLY}"
    ),
    "^FileNotFoundError": (
        "Each run starts in an empty folder: write the file first, or call "
        "microgpt.load_names() for the names."
    ),
    "^RecursionError": (
        "Calls are nested too deeply: check what ends the recursion, or use a loop."
    ),
    "^MemoryError|index-sized": (
        f"A page has less memory than your machine: keep less data, or {RUN_LOCALLY}"
    ),
    "^SystemExit": (
        "The program ended itself here: remove the call that exits to run the rest."
    ),
}


class RunResult(TypedDict):
    """The result of a run, as web/runtime/worker-protocol.ts declares it.

    `error` is the name of the exception that a block raised, `block` the index of that
    block and `line` the line in it; without an exception these are empty. `hint` says
    what an exercise still lacks; it is empty once the exercise is solved.
    """

    error: str
    traceback: str
    block: int | None
    line: int | None
    hint: str


class NoInput(io.TextIOBase):
    """A standard input that raises an error when it is read: nobody can type."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        """Raise OSError; `input()` calls this."""
        raise OSError("nobody can type here: write the answer into the code")

    read = readline


class LimitedOutputStream(io.TextIOBase):
    """Passes output on, line by line, up to MAX_OUTPUT_CHARACTERS."""

    def __init__(self, on_output: Callable[[str], object]) -> None:
        """Pass output on to `on_output`."""
        self.on_output = on_output
        self.pending = ""
        self.remaining = MAX_OUTPUT_CHARACTERS
        self.last_flush = time.monotonic()

    def write(self, text: str) -> int:
        """Buffer text until its line ends, or FLUSH_INTERVAL_SECONDS have passed."""
        self.pending += text
        if "\n" in text or time.monotonic() - self.last_flush > FLUSH_INTERVAL_SECONDS:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Pass the buffered text on."""
        pending, self.pending = self.pending, ""
        if not pending or self.remaining < 0:
            return
        output = pending[: self.remaining]
        self.remaining -= len(pending)
        if self.remaining < 0:
            limit = f"{MAX_OUTPUT_CHARACTERS:,} characters"
            output += f"\n… nothing more is shown after {limit}\n"
        self.on_output(output)
        self.last_flush = time.monotonic()


@contextlib.contextmanager
def isolate_guide_modules() -> Iterator[None]:
    """Give a reader's code its own copies of the guide's modules, which it may change.

    Widgets get theirs back afterwards, with all that they have computed. While no
    widget has been called, the reader's code uses the imported modules: importing
    takes time.
    """
    widget_modules = remove_guide_modules()
    if "widgets" not in widget_modules:
        sys.modules.update(widget_modules)
        widget_modules = {}
    try:
        yield
    finally:
        remove_guide_modules()
        sys.modules.update(widget_modules)


@contextlib.contextmanager
def restore_python_afterwards() -> Iterator[None]:
    """Undo what a reader's code changes in Python itself, such as a replaced function.

    Restores the attributes of all modules and their classes, `os.environ`, `sys.path`
    and logging, and removes modules that the code was the first to import.
    """
    modules = {k: m for k, m in sys.modules.items() if not is_guide_module(k)}
    owners: list[ModuleType | type] = []
    for module in modules.values():
        # Not JavaScript's modules, nor this one, whose run_folder changes with each run
        if isinstance(module, ModuleType) and module is not sys.modules[__name__]:
            defined = (x for x in vars(module).values() if isinstance(x, type))
            owners += (x for x in defined if x.__module__ == module.__name__)
            owners.append(module)
    saved = [(owner, dict(vars(owner))) for owner in owners]
    environment, path = dict(os.environ), [*sys.path]
    root = logging.root
    logs = [*root.handlers], root.level, root.manager.disable
    random.seed()
    try:
        with warnings.catch_warnings():
            yield
    finally:
        for name in [*sys.modules]:
            if name not in modules and not is_guide_module(name):
                del sys.modules[name]
        sys.modules.update(modules)
        for owner, attributes in saved:
            restore_attributes(owner, attributes)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:] = path
        root.handlers[:], root.level, root.manager.disable = logs


def restore_attributes(owner: ModuleType | type, attributes: dict[str, object]) -> None:
    """Restore the attributes of a module or a class.

    Compares by identity, because a reader's `__eq__` may do anything.
    """
    current = vars(owner)
    for name in {*current, *attributes}:
        if name in current and name in attributes and current[name] is attributes[name]:
            continue  # nearly all are unchanged, and `suppress` takes time
        with contextlib.suppress(AttributeError, TypeError):  # some are read-only
            if name not in attributes:
                delattr(owner, name)
            else:
                setattr(owner, name, attributes[name])


def is_guide_module(name: str) -> bool:
    """Return whether a module belongs to the guide, by its package."""
    return name.partition(".")[0] in ("microgpt", "snippets", "widgets")


def remove_guide_modules() -> dict[str, ModuleType]:
    """Remove the guide's modules from `sys.modules`, and return them by name."""
    names = filter(is_guide_module, [*sys.modules])
    return {name: sys.modules.pop(name) for name in names}


@isolate_guide_modules()
@restore_python_afterwards()
def run_blocks(
    blocks: Iterable[str],
    on_begin: Callable[[int], object],
    on_output: Callable[[int, str], object],
    exercise: str | None = None,
) -> RunResult:
    """Run blocks one after another in one new namespace, as if nothing ran before.

    A block that raises an exception ends the run. An exercise is checked in the
    namespace after the last block.

    Args:
        blocks: The code of each block.
        on_begin: Called with the index of each block before it runs.
        on_output: Called with the index of a block and a text that it has printed.
        exercise: The name of a folder in snippets/exercises/.
    """
    reset_interpreter()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    result = RunResult(error="", traceback="", block=None, line=None, hint="")
    codes = list(blocks)
    for index, code in enumerate(codes):
        on_begin(index)
        output = LimitedOutputStream(partial(on_output, index))
        file = f"block {index + 1} of {len(codes)}" if len(codes) > 1 else "this block"
        lines = code.splitlines(keepends=True)
        linecache.cache[file] = (len(code), None, lines, file)
        try:
            sys.stdin = NoInput()
            with redirect_stdout(output), redirect_stderr(output):
                exec(compile(code, file, "exec"), namespace)  # noqa: S102
                if exercise is not None and index == len(codes) - 1:
                    exercises = importlib.import_module("snippets.exercises")
                    result["hint"] = exercises.find_hint(exercise, namespace)
        except BaseException as error:  # noqa: BLE001  (readers raise anything)
            result["error"], result["block"] = type(error).__name__, index
            result["traceback"], result["line"] = format_error(error, file)
        output.flush()
        if result["error"]:
            break
    sys.settrace(None)
    unlink_value_graphs()
    return result


def call_widget(name: str, parameters: Any) -> dict[str, Any]:
    """Call the function `name` of the module `widgets.name.model`.

    Args:
        name: The name of the widget.
        parameters: Keyword arguments, as a dictionary or a JavaScript object.

    Returns:
        `{"result": …}`, or `{"error": {"reason": …, "position": …}}` if the function
        raised ValueError: its arguments are wrong. The position is the error's, that of
        a character in a text, or None.

    Raises:
        Exception: Any other exception of the function, which is a bug in it.
    """
    reset_interpreter()
    arguments = parameters if isinstance(parameters, dict) else parameters.to_py()
    function = getattr(importlib.import_module(f"widgets.{name}.model"), name)
    try:
        return {"result": function(**arguments)}
    except ValueError as error:
        position = getattr(error, "position", None)
        return {"error": {"reason": str(error), "position": position}}


def reset_interpreter() -> None:
    """Reset tracing, recursion limit and garbage collection; enter an empty folder."""
    global run_folder
    sys.settrace(None)
    sys.setrecursionlimit(INITIAL_RECURSION_LIMIT)
    gc.enable()
    os.chdir("/")
    run_folder.cleanup()
    run_folder = tempfile.TemporaryDirectory()
    os.chdir(run_folder.name)


def unlink_value_graphs() -> None:
    """Remove the links between `Value`s before they are freed.

    Freeing a long chain frees each child inside its parent, deeper than the stack of a
    browser allows.
    """
    package = sys.modules.get("microgpt.autograd")
    value_class = getattr(package, "Value", None)
    for candidate in gc.get_objects():
        cls = type(candidate)
        is_readers_value = cls.__module__ == "__main__" and cls.__name__ == "Value"
        if cls is value_class or is_readers_value:
            with contextlib.suppress(Exception):  # a reader's class may do anything
                candidate._children = ()


def format_error(error: BaseException, file: str) -> tuple[str, int | None]:
    """Return the traceback from `file` on, with advice, and the line that failed."""
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_code.co_filename != file:
        frame = frame.tb_next
    report = traceback.TracebackException(type(error), error, frame)
    lines = [entry.lineno for entry in report.stack if entry.filename == file]
    line = lines[-1] if lines else None
    if isinstance(error, SyntaxError) and error.filename == file:
        line = error.lineno
    message = "".join(report.format_exception_only())
    advice = (
        f"{text}\n"
        for pattern, text in ADVICE_BY_ERROR.items()
        if re.search(pattern, message, re.MULTILINE)
    )
    text = "".join([*report.format(), next(advice, "")])
    return text.replace("/guide/", ""), line
