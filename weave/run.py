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
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, BinaryIO

from weave.findings import Question, Results, short
from weave.guide import Guide
from weave.kinds import fences
from weave.kinds.block import LIBRARIES, Block
from weave.kinds.session import Session
from weave.page import Page
from weave.process import TIME_LIMIT
from weave.prose import numbers

FORKS = "forkserver" in multiprocessing.get_all_start_methods()
PROCESSES: Any = multiprocessing.get_context("forkserver" if FORKS else "spawn")
if FORKS:
    PROCESSES.set_forkserver_preload(["weave.__main__", "weave.preload"])


@dataclass
class Chain:
    """Blocks that share their names, and the expressions stated below the first."""

    number: int
    blocks: list[Block] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return (self.blocks or self.questions)[0].line

    @property
    def runs_here(self) -> bool:
        """Whether what one of its blocks needs is installed."""
        return any(block.runs_here for block in self.blocks)


@dataclass
class Job:
    """What the process of a chain is given; blocks have their lines and their code.

    `names` is the module of what expressions may name. `lacking` has the library of each
    block that needs one which isn't installed.
    """

    root: Path
    path: Path
    names: str
    blocks: list[tuple[int, str]]
    lacking: list[str]
    questions: list[Question]


def questions(page: Page) -> list[Question]:
    """Return every expression that a page states."""
    asked = [question for fence in fences(page) for question in fence.questions()]
    return [*asked, *numbers.questions(page)]


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
    return [chain for chain in found.values() if chain.blocks or chain.questions]


def run_page(guide: Guide, page: Page) -> Results:
    """Run all chains of a page, and its sessions."""
    results = Results()
    for chain in chains(page):
        results.add(run_chain(guide, page, chain))
    results.ran = run_sessions(guide, page)
    return results


def run_sessions(guide: Guide, page: Page) -> dict[int, str]:
    """Return what the sessions of a page print, by line."""
    return {session.line: session.run(guide.root) for session in Session.on(page)}


def run_chain(guide: Guide, page: Page, chain: Chain) -> Results:
    """Run a chain in a process and an empty folder of its own."""
    names, root = guide.options.get("names", ""), guide.root.resolve()
    blocks = [(block.line, block.text) for block in chain.blocks if block.runs_here]
    lacking = [block.library for block in chain.blocks if not block.runs_here]
    job = Job(root, page.path, names, blocks, lacking, chain.questions)
    answer, there = PROCESSES.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder, answer:
        with there:
            process = PROCESSES.Process(target=_run_job, args=(there, folder, job))
            process.start()
        try:
            if answer.poll(TIME_LIMIT):
                results: Results = answer.recv()
                return results
            why = f"it ran for more than {TIME_LIMIT} s"
        except EOFError:
            process.join()
            why = f"it ended with status {process.exitcode}"
        finally:
            process.kill()
            process.join()
    what = f"Python stopped in this block, or in one that continues it: {why}"
    return Results(failures={chain.line: what})


def _run_job(answer: Connection, folder: str, job: Job) -> None:
    """Run one chain, in its process; end without a traceback at Ctrl-C."""
    try:
        os.chdir(folder)
        results = Results(waiting=[*job.lacking])
        names: dict[str, Any] = {"__name__": "__main__"}
        known = _import_project(job)
        with tempfile.TemporaryFile() as aside:
            for stream in (1, 2):  # what else the process writes, and those it starts
                os.dup2(aside.fileno(), stream)
            for block in job.blocks:
                results.outputs[block[0]], said = _ran(block, job.path, names, aside)
                if said:
                    results.failures[block[0]] = said
                    break
            else:
                _ask(job, {**known, **names}, results)
        answer.send(results)
    except KeyboardInterrupt:
        sys.exit(130)


def _import_project(job: Job) -> dict[str, Any]:
    """Import the project, unless the server has; return what expressions may name."""
    sys.path.insert(0, str(job.root))
    here = sys.modules.get(job.names)
    if here and job.root not in Path(here.__file__ or "").parents:
        for name in list(sys.modules):  # those of another project
            if name.partition(".")[0] in ("microgpt", "snippets"):
                del sys.modules[name]
    try:
        names = vars(import_module(job.names)) if job.names else {}
    except Exception:  # noqa: BLE001  (its blocks say what is wrong with it)
        return {}
    return {name: value for name, value in names.items() if name[0] != "_"}


def _ran(
    block: tuple[int, str], path: Path, names: dict[str, Any], aside: BinaryIO
) -> tuple[str, str]:
    """Run a block; return what it printed, and what is wrong with it, if anything is."""
    (line, code), printed, failure = block, io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(printed):
            # Blank lines above make a traceback name the line of the page.
            exec(compile("\n" * line + code, path, "exec"), names)  # noqa: S102
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
                f"the block writes {short(written)} to stderr or past print(), "
                "where no page shows it: print it, or keep it from being written"
            )
    return printed.getvalue(), failure


def _ask(job: Job, scope: dict[str, Any], results: Results) -> None:
    """Evaluate what is stated about a chain; what a missing library would give waits."""
    for question in job.questions:
        if job.lacking:  # its blocks might have changed any name
            results.waiting.append(job.lacking[0])
            continue
        try:
            value = eval(question.expression, {**scope})
            answer = question.answer(value, question.expression, scope)
            results.answers[question.line, question.expression] = answer
        except (Exception, SystemExit) as error:  # noqa: BLE001
            missing = getattr(error, "name", "")
            if missing in LIBRARIES and find_spec(missing) is None:
                results.waiting.append(missing)
                continue
            results.failures[question.line] = (
                f"{question.expression}: {type(error).__name__}: {error}"
            )
