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
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from symtable import symtable
from typing import Any

from weave.findings import Question, Results, names_in, short
from weave.guide import Guide
from weave.kinds import fences
from weave.kinds.block import LIBRARIES, Block
from weave.kinds.session import Session
from weave.page import Page
from weave.process import TIME_LIMIT
from weave.prose import PROSE
from weave.prose.numbers import plain

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


@dataclass
class Job:
    """What the process of a chain is given; blocks have their lines and their code.

    `names` is the module of what expressions may name. Of what isn't installed, `lacking`
    has the blocks, each with its library.
    """

    root: Path
    path: Path
    names: str
    blocks: list[tuple[int, str]]
    lacking: list[tuple[int, str, str]]
    questions: list[Question]


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
    return [chain for chain in found.values() if chain.blocks or chain.questions]


def run_page(
    guide: Guide, page: Page, numbers: Collection[int] | None = None
) -> Results:
    """Run a page: its chains of those numbers, or all of them and its sessions."""
    results = Results()
    for chain in chains(page):
        if numbers is None or chain.number in numbers:
            results.add(run_chain(guide, page, chain))
    if numbers is None:
        results.ran = run_sessions(guide, page)
    return results


def run_sessions(guide: Guide, page: Page) -> dict[int, str]:
    """Return what the sessions of a page print, by line."""
    return {session.line: session.run(guide.root) for session in Session.on(page)}


def run_chain(guide: Guide, page: Page, chain: Chain) -> Results:
    """Run a chain in a process and an empty folder of its own."""
    job = Job(
        guide.root.resolve(),
        page.path,
        guide.options.get("names", ""),
        [(block.line, block.text) for block in chain.blocks if block.runs_here],
        [
            (block.line, block.text, block.library)
            for block in chain.blocks
            if not (block.runs_here or block.skipped)
        ],
        chain.questions,
    )
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
        results = Results(waiting=[(library, "block") for *_, library in job.lacking])
        names: dict[str, Any] = {"__name__": "__main__"}
        known = _import_project(job)
        if all(_ran(*block, job.path, names, results) for block in job.blocks):
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
    line: int, code: str, path: Path, names: dict[str, Any], results: Results
) -> bool:
    """Run a block; tell whether it ended well."""
    printed = io.StringIO()
    try:
        with _captured() as aside, contextlib.redirect_stdout(printed):
            # Blank lines above make a traceback name the line of the page.
            exec(compile("\n" * line + code, path, "exec"), names)  # noqa: S102
    except BaseException as error:  # noqa: BLE001  (a block may raise anything)
        below = error.__traceback__ and error.__traceback__.tb_next
        report = traceback.format_exception(error.with_traceback(below))
        results.failures[line] = "".join(report).rstrip()
    else:
        if aside:
            results.failures[line] = (
                f"the block writes {short(''.join(aside))} to stderr or past print(), "
                "where no page shows it: print it, or keep it from being written"
            )
    results.outputs[line] = printed.getvalue()
    return line not in results.failures


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


def _ask(job: Job, scope: dict[str, Any], results: Results) -> None:
    """Evaluate what is stated about a chain.

    What needs a name that a missing library or block would have given waits for it.
    """
    rebound: dict[str, str] = {}  # the library that each name waits for
    unbound = {name: name for name in LIBRARIES if find_spec(name) is None}
    for line, code, library in job.lacking:
        try:
            symbols = symtable(code, "", "exec").get_symbols()
        except SyntaxError as error:
            results.failures[line] = f"SyntaxError: {error}"
            return
        assigned = [symbol for symbol in symbols if symbol.is_assigned()]
        unbound |= {symbol.get_name(): library for symbol in assigned}
        rebound |= {s.get_name(): library for s in assigned if not s.is_imported()}
    for question in job.questions:
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
