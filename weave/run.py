"""Running a page: each chain of blocks in order, then every expression stated below it.

A chain runs in a process of its own, in an empty folder, so that nothing it does reaches
another chain, another page or the tree. Where the system can fork, that process is a fork
of the page's, which has imported the project and runs nothing else.
"""

import contextlib
import inspect
import io
import json
import multiprocessing
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from symtable import symtable
from typing import Any

from weave.counts import names as counted
from weave.findings import Question, Results, names_in, short
from weave.guide import Guide
from weave.kinds import fences
from weave.kinds.block import LIBRARIES, Block
from weave.kinds.names import RECORDED
from weave.kinds.session import Session
from weave.page import Page, read_page
from weave.process import TIME_LIMIT
from weave.prose import PROSE
from weave.prose.numbers import plain

_METHODS = multiprocessing.get_all_start_methods()
PAGES: Any = multiprocessing.get_context(
    "forkserver" if "forkserver" in _METHODS else "spawn"
)
CHAINS: Any = multiprocessing.get_context("fork" if "fork" in _METHODS else "spawn")
if "forkserver" in _METHODS:
    PAGES.set_forkserver_preload(["weave.run"])


@dataclass
class Chain:
    """Blocks that share their names, and the expressions stated below the first."""

    number: int
    blocks: list[Block] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def questions(page: Page) -> list[Question]:
    """Return every expression that a page states."""
    asked = [question for fence in fences(page) for question in fence.questions()]
    return [*asked, *(q for prose in PROSE for q in prose.questions(page))]


def chains(page: Page) -> list[Chain]:
    """Return the chains of a page; what stands above all blocks is asked of the last."""
    blocks = Block.on(page)
    found = {number: Chain(number) for number in [0, *(b.chain for b in blocks)]}
    for block in blocks:
        found[block.chain].blocks.append(block)
    last = blocks[-1].chain if blocks else 0
    for question in questions(page):
        above = [block.chain for block in blocks if block.line < question.line]
        found[above[-1] if above else last].questions.append(question)
    return list(found.values())


def run_page(root: Path, page: Page, numbers: Collection[int] | None = None) -> Results:
    """Run a page: its chains of those numbers, or all of them and its sessions."""
    given = (root.resolve(), page.path, "\n".join(page.lines))
    chosen = [
        chain.number
        for chain in chains(page)
        if (chain.blocks or chain.questions)
        and (numbers is None or chain.number in numbers)
    ]
    results = Results()
    if chosen:
        came = _in_a_process(PAGES, None, _run_chains, *given, chosen)
        if isinstance(came, str):
            raise page.error(f"Python stopped while running this page: {came}")
        results = came
    if numbers is None:
        results.ran = ran(root, page)
    return results


def ran(root: Path, page: Page) -> dict[int, str]:
    """Return what sessions print, by line."""
    return {session.line: session.run(root) for session in Session.on(page)}


def _in_a_process(
    context: Any, limit: float | None, target: Callable[..., None], *given: object
) -> Any:
    """Return what a process of its own answers, or in a text why it doesn't."""
    answer, there = context.Pipe(duplex=False)
    with answer:
        with there:
            process = context.Process(target=_quietly, args=(target, there, *given))
            process.start()
        try:
            if answer.poll(limit):
                return answer.recv()
            return f"it ran for more than {limit} s"
        except EOFError:
            process.join()
            return f"it ended with status {process.exitcode}"
        finally:
            process.kill()
            process.join()


def _quietly(target: Callable[..., None], *given: object) -> None:
    """Call a function; end without a traceback at Ctrl-C."""
    try:
        target(*given)
    except KeyboardInterrupt:
        sys.exit(130)


def run_alone(function: Callable[..., object], *given: object) -> None:
    """Call a function in a process and an empty folder of its own; raise what it raises."""
    came = _in_a_process(PAGES, TIME_LIMIT, _call, function, given)
    if isinstance(came, str):
        came = RuntimeError(f"Python stopped in these blocks: {came}")
    if came is not None:
        raise came


def _call(
    answer: Connection, function: Callable[..., object], given: tuple[object, ...]
) -> None:
    """Do what `run_alone` asks, and answer with what was raised."""
    error: BaseException | None = None
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        try:
            with _captured() as aside:
                function(*given)
            if aside:
                error = RuntimeError(_written_aside(aside))
        except BaseException as raised:  # noqa: BLE001  (a block may raise anything)
            error = raised
    answer.send(error)


def _written_aside(text: list[str]) -> str:
    return (
        f"the block writes {short(''.join(text))} to stderr or past print(), "
        "where no page shows it: print it, or keep it from being written"
    )


def _run_chains(
    answer: Connection, root: Path, path: Path, text: str, numbers: list[int]
) -> None:
    """Do what `run_page` asks, in the process of the page."""
    import_project(str(root))
    results = Results()
    chosen = [c for c in chains(read_page(path, text)) if c.number in numbers]
    with _captured():  # what a library says as it is imported is no block's output
        for library in {b.library for c in chosen for b in c.blocks if b.runs_here}:
            # Once for all chains, as it can take seconds; macOS can't fork after that.
            if library and sys.platform == "linux":
                with contextlib.suppress(Exception, SystemExit):  # its block tells
                    import_module(library)
    for chain in chosen:
        given = (root, path, text, chain.number)
        with tempfile.TemporaryDirectory() as folder:
            came = _in_a_process(CHAINS, TIME_LIMIT, _run_chain, folder, *given)
        if isinstance(came, str):
            what = f"Python stopped in this block, or in one that continues it: {came}"
            line = (chain.blocks or chain.questions)[0].line
            came = Results(failures={line: what})
        results.add(came)
    answer.send(results)


def _run_chain(
    answer: Connection, folder: str, root: Path, path: Path, text: str, number: int
) -> None:
    """Run one chain, in the process of that chain."""
    known = import_project(str(root))
    os.chdir(folder)
    results = Results()
    names: dict[str, Any] = {"__name__": "__main__"}
    chain = next(c for c in chains(read_page(path, text)) if c.number == number)
    running = [block for block in chain.blocks if block.runs_here]
    if all(_ran(block, path, names, results) for block in running):
        ask(known, chain, names, results)
    answer.send(results)


@cache
def import_project(root: str) -> dict[str, Any]:
    """Import a project, unless this process has; return what expressions may name."""
    for name in list(sys.modules):  # which may be those of another project
        if name.partition(".")[0] in ("microgpt", "snippets"):
            del sys.modules[name]
    sys.path.insert(0, root)
    return facts(Guide(Path(root)))


def _ran(block: Block, path: Path, names: dict[str, Any], results: Results) -> bool:
    """Run a block; tell whether it ended well."""
    printed = io.StringIO()
    try:
        with _captured() as aside, contextlib.redirect_stdout(printed):
            # Blank lines above make a traceback name the line of the page.
            exec(compile("\n" * block.line + block.text, path, "exec"), names)  # noqa: S102
    except BaseException as error:  # noqa: BLE001  (a block may raise anything)
        below = error.__traceback__ and error.__traceback__.tb_next
        report = traceback.format_exception(error.with_traceback(below))
        results.failures[block.line] = "".join(report).rstrip()
    else:
        if aside:
            results.failures[block.line] = _written_aside(aside)
    results.outputs[block.line] = printed.getvalue()
    return block.line not in results.failures


@contextlib.contextmanager
def _captured() -> Iterator[list[str]]:
    """Keep what is written to stderr or to the descriptors of both streams.

    The list has the text once the block has ended; children write there, too.
    """
    text: list[str] = []
    kept = {number: os.dup(number) for number in (1, 2)}
    with tempfile.TemporaryFile() as file:
        for number in kept:
            os.dup2(file.fileno(), number)
        try:
            with contextlib.redirect_stderr(io.StringIO()) as stderr:
                yield text
        finally:
            for stream in (sys.__stdout__, sys.__stderr__):
                if stream is not None:
                    stream.flush()
            for number, original in kept.items():
                os.dup2(original, number)
                os.close(original)
            file.seek(0)
            written = stderr.getvalue() + file.read().decode("utf-8", "replace")
            text += [written] if written else []


def ask(
    known: dict[str, Any], chain: Chain, names: dict[str, Any], results: Results
) -> None:
    """Evaluate what is stated about a chain, given the names that its blocks define.

    What needs a name of a block whose library isn't here has to wait for that.
    """
    lacking = [b for b in chain.blocks if not (b.runs_here or b.skipped)]
    results.waiting += [(block.library, "block") for block in lacking]
    rebound: dict[str, str] = {}  # the library that each name waits for
    unbound = {name: name for name in LIBRARIES if find_spec(name) is None}
    for block in lacking:
        try:
            symbols = symtable(block.text, "", "exec").get_symbols()
        except SyntaxError as error:
            results.failures[block.line] = f"SyntaxError: {error}"
            return
        for symbol in symbols:
            if symbol.is_assigned():
                unbound[symbol.get_name()] = block.library
            if symbol.is_assigned() and not symbol.is_imported():
                rebound[symbol.get_name()] = block.library
    scope = {**known, **names}
    for question in chain.questions:
        what = "number" if question.answer is plain else "graph"
        try:
            if mentioned := names_in(question.expression) & {*rebound}:
                results.waiting.append((rebound[min(mentioned)], what))
                continue
            value = eval(question.expression, {**scope})
            answer = question.answer(value, question.expression, scope)
            results.answers[question.line, question.expression] = answer
        except (Exception, SystemExit) as error:  # noqa: BLE001
            if isinstance(error, NameError | ImportError) and error.name in unbound:
                results.waiting.append((unbound[error.name], what))
                continue
            results.failures[question.line] = (
                f"{question.expression}: {type(error).__name__}: {error}"
            )


def facts(guide: Guide) -> dict[str, Any]:
    """Return what an expression may name besides what the page's blocks define."""
    import microgpt.cli.main
    import snippets.ready
    import weave

    def recorded(name: str) -> Any:
        """Return what was measured in runs that take too long to wait for."""
        return json.loads(guide.text(Path("docs", "data", f"{name}.json")))

    def trained(run: str) -> Any:
        """Return how a recorded run of the Trainer ends: names, loss and so on."""
        return json.loads(guide.text(RECORDED))[run]["moments"][-1]

    for program in guide.programs:
        import_module(f"snippets.{program.stem}")
    return {
        **{name: getattr(microgpt, name) for name in microgpt.__all__},
        "microgpt": microgpt,
        "snippets": snippets,
        "recorded": recorded,
        "run": recorded,  # a program's losses
        "learnt": lambda program: recorded(f"{program}-weights"),
        "trained": trained,
        "source": inspect.getsource,
        "guide": guide,
        **counted(guide),
        "weave": weave,
    }
