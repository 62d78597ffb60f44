"""Running a page: its blocks in order, then every expression that it states.

A page runs in a process of its own, in an empty folder, so that nothing it does
reaches another page or the tree. That process is a fork of one that has already
imported weave, where the system can fork.
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
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from weave.counts import names as counted
from weave.findings import Question, Results
from weave.guide import Guide
from weave.kinds import fences
from weave.kinds.block import Block
from weave.kinds.names import RECORDED
from weave.kinds.session import Session
from weave.page import Page, read_page
from weave.process import TIME_LIMIT
from weave.prose import PROSE

_METHODS = multiprocessing.get_all_start_methods()
PROCESSES: Any = multiprocessing.get_context(
    "forkserver" if "forkserver" in _METHODS else "spawn"
)
if "forkserver" in _METHODS:
    PROCESSES.set_forkserver_preload(["weave.run"])


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


def run_page(root: Path, page: Page) -> Results:
    """Run a page's blocks, then evaluate its expressions, in a process of its own."""
    results = Results()
    if any(chain.blocks or chain.questions for chain in chains(page)):
        results = _in_a_process(root, page)
    results.ran = ran(root, page)
    return results


def ran(root: Path, page: Page) -> dict[int, str]:
    """Return what sessions print, by line."""
    return {session.line: session.run(root) for session in Session.on(page)}


def _in_a_process(root: Path, page: Page) -> Results:
    """Let a process of its own run the page, in an empty folder."""
    answer, there = PROCESSES.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder, answer:
        with there:
            given = (there, folder, root.resolve(), page.path, "\n".join(page.lines))
            process = PROCESSES.Process(target=_work, args=given, daemon=True)
            process.start()
        what = f"it ran for more than {TIME_LIMIT} s"
        try:
            if answer.poll(TIME_LIMIT):
                results: Results = answer.recv()
                return results
        except EOFError:
            process.join()
            what = f"it ended with status {process.exitcode}"
        finally:
            process.kill()
            process.join()
    raise page.error(f"Python stopped while running this page: {what}")


def _work(answer: Connection, folder: str, root: Path, path: Path, text: str) -> None:
    """Do what `run_page` asks, in the process made for it."""
    for name in list(sys.modules):  # which may be those of another project
        if name.partition(".")[0] in ("microgpt", "snippets"):
            del sys.modules[name]
    sys.path.insert(0, str(root))
    os.chdir(folder)
    results = Results()
    guide = Guide(root)
    for chain in chains(read_page(path, text)):
        names: dict[str, Any] = {"__name__": "__main__"}
        running = [block for block in chain.blocks if block.runs_here]
        if all(_ran(block, path, names, results) for block in running):
            ask(guide, chain, names, results)
    answer.send(results)


def _ran(block: Block, path: Path, names: dict[str, Any], results: Results) -> bool:
    """Run a block; tell whether it ended well."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            # Blank lines above make a traceback name the line of the page.
            exec(compile("\n" * block.line + block.text, path, "exec"), names)  # noqa: S102
    except BaseException as error:  # noqa: BLE001  (a block may raise anything)
        below = error.__traceback__ and error.__traceback__.tb_next
        report = traceback.format_exception(error.with_traceback(below))
        results.failures[block.line] = "".join(report).rstrip()
    results.outputs[block.line] = printed.getvalue()
    return block.line not in results.failures


def ask(guide: Guide, chain: Chain, names: dict[str, Any], results: Results) -> None:
    """Evaluate what is stated about a chain, given the names that its blocks define."""
    lacking = [b for b in chain.blocks if not (b.runs_here or b.skipped)]
    if lacking or not chain.questions:  # a library isn't here, so nobody can answer
        return
    scope = {**facts(guide), **names}
    for question in chain.questions:
        try:
            value = eval(question.expression, {**scope})
            answer = question.answer(value, question.expression, scope)
            results.answers[question.line, question.expression] = answer
        except (Exception, SystemExit) as error:  # noqa: BLE001
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
