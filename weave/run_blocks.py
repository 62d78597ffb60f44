"""Running a page: each chain of blocks in order, then every expression stated below it.

A chain runs in a process of its own, in an empty folder, so that nothing it does reaches
another chain, another page or the tree. Where the system can fork, that process is a fork
of a server that has imported the project and runs nothing else.
"""

import contextlib
import io
import multiprocessing
import os
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, BinaryIO

from weave.errors import quote_text
from weave.guide import Guide
from weave.kinds import fences
from weave.kinds.block import LIBRARIES, Block
from weave.kinds.session import Session
from weave.page import Page
from weave.prose import numbers
from weave.results import RunResults, StatedExpression

CHAIN_TIMEOUT_S = 300
HAS_FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()
PROCESS_CONTEXT: Any = multiprocessing.get_context(
    "forkserver" if HAS_FORKSERVER else "spawn"
)
if HAS_FORKSERVER:
    PROCESS_CONTEXT.set_forkserver_preload(
        ["weave.__main__", "weave.forkserver_preload"]
    )


@dataclass
class BlockChain:
    """Blocks that share their names, and the expressions stated below the first.

    `blocks` has the line and the code of each; `lacking` has the library of each that
    needs one which isn't installed, and doesn't run.
    """

    number: int
    path: Path
    line: int  # on which it begins
    library: str = ""  # that its first block needs
    blocks: list[tuple[int, str]] = field(default_factory=list)
    missing_libraries: list[str] = field(default_factory=list)
    expressions: list[StatedExpression] = field(default_factory=list)


def stated_expressions(page: Page) -> list[StatedExpression]:
    """Return every expression that a page states."""
    asked = [question for fence in fences(page) for question in fence.questions()]
    return [*asked, *numbers.questions(page)]


def find_chains(page: Page) -> list[BlockChain]:
    """Return the chains of a page; what stands above all blocks is asked of the last."""
    found: list[BlockChain] = []
    for block in Block.on(page):
        if not block.continues:
            found.append(BlockChain(len(found), page.path, block.line, block.library))
        if block.runs_here:
            found[-1].blocks.append((block.line, block.text))
        else:
            found[-1].missing_libraries.append(block.library)
    for question in stated_expressions(page):
        found = found or [BlockChain(0, page.path, question.line)]
        above = [chain for chain in found if chain.line < question.line]
        (above or found)[-1].expressions.append(question)
    return found


def run_page(guide: Guide, path: Path) -> RunResults:
    """Run all chains of a page, and its sessions; a lab runs otherwise."""
    page, results = guide.read_page(path), RunResults()
    for chain in [] if page.is_lab else find_chains(page):
        results.add(run_chain(guide, chain))
    results.session_outputs = run_sessions(guide, page)
    return results


def run_sessions(guide: Guide, page: Page) -> dict[int, str]:
    """Return what the sessions of a page print, by line."""
    return {session.line: session.run(guide.root) for session in Session.on(page)}


def run_chain(guide: Guide, chain: BlockChain) -> RunResults:
    """Run a chain in a process and an empty folder of its own."""
    project = guide.root.resolve(), guide.weave_settings.get("names", "")
    answer, there = PROCESS_CONTEXT.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder, answer:
        with there:
            given = (there, folder, *project, chain)
            process = PROCESS_CONTEXT.Process(target=_run_chain_in_child, args=given)
            process.start()
        why = f"it ran for more than {CHAIN_TIMEOUT_S} s"
        try:
            # What a block has started may live on, and keep the pipe open.
            ended = wait([answer, process.sentinel], CHAIN_TIMEOUT_S)
            if answer.poll():
                results: RunResults = answer.recv()
                return results
            if ended:
                raise EOFError
        except EOFError:
            process.join()
            why = f"it ended with status {process.exitcode}"
        finally:
            process.kill()
            process.join()
    what = f"Python stopped in this block, or in one that continues it: {why}"
    return RunResults(failures={chain.line: what})


def _run_chain_in_child(
    answer: Connection, folder: str, root: Path, module: str, chain: BlockChain
) -> None:
    """Run one chain, in its process; end without a traceback at Ctrl-C.

    `module` has what expressions may name.
    """
    try:
        os.chdir(folder)
        results = RunResults(missing_libraries=[*chain.missing_libraries])
        names: dict[str, Any] = {"__name__": "__main__"}
        known = _import_project(root, module)
        with tempfile.TemporaryFile() as aside:
            for stream in (1, 2):  # what else the process writes, and those it starts
                os.dup2(aside.fileno(), stream)
            for line, code in chain.blocks:
                # Blank lines above make a traceback name the line of the page.
                text = "\n" * line + code
                results.outputs[line], said = _run_block(text, chain.path, names, aside)
                if said:
                    results.failures[line] = said
                    break
            else:
                _evaluate_expressions(chain, {**known, **names}, results)
        answer.send(results)
    except KeyboardInterrupt:
        sys.exit(130)


def _import_project(root: Path, module: str) -> dict[str, Any]:
    """Import the project, unless the server has; return what expressions may name."""
    sys.path.insert(0, str(root))
    here = sys.modules.get(module)
    if here and root not in Path(here.__file__ or "").parents:
        for name in list(sys.modules):  # those of another project
            if name.partition(".")[0] in ("microgpt", "snippets"):
                del sys.modules[name]
    try:
        names = vars(import_module(module)) if module else {}
    except Exception:  # noqa: BLE001  (its blocks say what is wrong with it)
        return {}
    return {name: value for name, value in names.items() if name[0] != "_"}


def _run_block(
    code: str, path: Path, names: dict[str, Any], aside: BinaryIO
) -> tuple[str, str]:
    """Run a block; return what it printed, and what is wrong with it, if anything is."""
    printed, failure = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(code, path, "exec"), names)  # noqa: S102
    except BaseException as error:  # noqa: BLE001  (a block may raise anything)
        below = error.__traceback__ and error.__traceback__.tb_next
        report = traceback.format_exception(error.with_traceback(below))
        failure = "".join(report).rstrip()
    else:
        for stream in filter(None, (sys.__stdout__, sys.__stderr__)):
            stream.flush()
        aside.seek(0)
        if written := aside.read().decode("utf-8", "replace"):
            failure = (
                f"the block writes {quote_text(written)} to stderr or past print(), "
                "where no page shows it: print it, or keep it from being written"
            )
    return printed.getvalue(), failure


def _evaluate_expressions(
    chain: BlockChain, scope: dict[str, Any], results: RunResults
) -> None:
    """Evaluate what is stated about a chain; what a missing library would give waits."""
    for question in chain.expressions:
        if chain.missing_libraries:  # its blocks might have changed any name
            results.missing_libraries.append(chain.missing_libraries[0])
            continue
        try:
            value = eval(question.expression, {**scope})
            answer = question.convert(value, question.expression, scope)
            results.values[question.line, question.expression] = answer
        except (Exception, SystemExit) as error:  # noqa: BLE001
            missing = getattr(error, "name", "")
            if missing in LIBRARIES and find_spec(missing) is None:
                results.missing_libraries.append(missing)
                continue
            results.failures[question.line] = (
                f"{question.expression}: {type(error).__name__}: {error}"
            )
