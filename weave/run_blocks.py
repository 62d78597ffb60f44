"""Running a page: its chains of Python blocks, the expressions below them, its sessions.

A chain is a block and those that continue it. It runs in a process of its own, in an empty
folder, so that nothing it does reaches another chain, another page or the project. Where
the system can fork, that process is a fork of a server that has imported the project and
runs nothing else.
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

from weave.errors import shorten_and_quote
from weave.fences import parse_fences
from weave.fences.python_block import OPTIONAL_LIBRARIES, PythonBlock
from weave.fences.shell_session import ShellSession
from weave.guide import Guide
from weave.page import Page
from weave.prose.numbers import find_computed_numbers
from weave.results import Namespace, RunResults, StatedExpression

CHAIN_TIMEOUT_S = 300
# How the process of a chain is started
PROCESS_CONTEXT: Any = multiprocessing.get_context("spawn")
if "forkserver" in multiprocessing.get_all_start_methods():
    PROCESS_CONTEXT = multiprocessing.get_context("forkserver")
    PROCESS_CONTEXT.set_forkserver_preload(
        ["weave.__main__", "weave.forkserver_preload"]
    )


@dataclass
class BlockChain:
    """Blocks that share a namespace, and the expressions to evaluate in it afterwards."""

    index: int  # on its page, from 0
    path: Path  # of the page
    line: int  # of the first block
    library: str = ""  # that the first block needs
    # The line and the code of each block that can run
    blocks: list[tuple[int, str]] = field(default_factory=list)
    # The library of each block that cannot, because the library is not installed
    missing_libraries: list[str] = field(default_factory=list)
    expressions: list[StatedExpression] = field(default_factory=list)


def find_stated_expressions(page: Page) -> list[StatedExpression]:
    """Return every expression of a page: those of its fences, then those in its prose."""
    in_fences = [x for fence in parse_fences(page) for x in fence.expressions()]
    in_prose = [(x.expression, x.line) for x in find_computed_numbers(page)]
    return in_fences + [StatedExpression(*x, require_plain_value) for x in in_prose]


def require_plain_value(value: Any, *_: object) -> int | float | str:
    """Return the value of an expression if prose can state it.

    Raises:
        TypeError: It is neither a number nor a text.
    """
    if not isinstance(value, int | float | str):
        raise TypeError(f"expected a number or a string, got {value!r}")
    return value


def find_block_chains(page: Page) -> list[BlockChain]:
    """Return the chains of a page, each with the expressions between it and the next.

    An expression above all blocks belongs to the last chain.
    """
    chains: list[BlockChain] = []
    for block in PythonBlock.find_on_page(page):
        if not block.continued_block:
            library, index = block.required_library, len(chains)
            chains.append(BlockChain(index, page.path, block.line, library))
        if block.is_library_installed:
            chains[-1].blocks.append((block.line, block.fence.text))
        else:
            chains[-1].missing_libraries.append(block.required_library)
    for stated in find_stated_expressions(page):
        chains = chains or [BlockChain(0, page.path, stated.line)]
        above = [chain for chain in chains if chain.line < stated.line]
        (above or chains)[-1].expressions.append(stated)
    return chains


def run_page(guide: Guide, path: Path) -> RunResults:
    """Run the sessions of a page and, unless it is a lab, its chains of blocks.

    The cells of labs are run by `weave.labs`.
    """
    page, results = guide.read_page(path), RunResults()
    for chain in [] if page.is_lab else find_block_chains(page):
        results.add(run_chain(guide, chain))
    results.session_outputs = run_sessions(guide, page)
    return results


def run_sessions(guide: Guide, page: Page) -> dict[int, str]:
    """Run the shell sessions of a page; return each with its present output, by line."""
    return {
        session.line: session.run_in_empty_folder(guide.root)
        for session in ShellSession.find_on_page(page)
    }


def run_chain(guide: Guide, chain: BlockChain) -> RunResults:
    """Run a chain in a process and an empty folder of its own.

    A chain that takes longer than `CHAIN_TIMEOUT_S`, or ends its process, has failed.
    """
    receiver, sender = PROCESS_CONTEXT.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder, receiver:
        with sender:
            module = guide.weave_settings.get("namespace", "")
            arguments = (sender, folder, guide.root.resolve(), module, chain)
            process = PROCESS_CONTEXT.Process(target=_run_in_child, args=arguments)
            process.start()
        reason = f"it ran for more than {CHAIN_TIMEOUT_S} s"
        try:
            # A process that a block has started may live on, and keep the pipe open.
            has_ended = wait([receiver, process.sentinel], CHAIN_TIMEOUT_S)
            if receiver.poll():
                results: RunResults = receiver.recv()
                return results
            if has_ended:
                raise EOFError
        except EOFError:
            process.join()
            reason = f"it ended with status {process.exitcode}"
        finally:
            process.kill()
            process.join()
    problem = f"Python stopped in this block, or in one that continues it: {reason}"
    return RunResults(failures={chain.line: problem})


def _run_in_child(
    sender: Connection, folder: str, root: Path, module: str, chain: BlockChain
) -> None:
    """Run a chain in this process and folder; exit quietly at Ctrl-C.

    Expressions may also use the names of a module of the project, if one is given.
    """
    try:
        os.chdir(folder)
        results = RunResults(missing_libraries=[*chain.missing_libraries])
        namespace: Namespace = {"__name__": "__main__"}
        project_names = _import_namespace(root, module)
        with tempfile.TemporaryFile() as captured:
            for stream in (1, 2):  # also of the processes that blocks start
                os.dup2(captured.fileno(), stream)
            for line, code in chain.blocks:
                # Blank lines above make a traceback name the line of the page.
                source = "\n" * line + code
                printed, failure = _run_block(source, chain.path, namespace, captured)
                results.outputs[line] = printed
                if failure:
                    results.failures[line] = failure
                    break
            else:
                _evaluate(chain, {**project_names, **namespace}, results)
        sender.send(results)
    except KeyboardInterrupt:
        sys.exit(130)


def _import_namespace(root: Path, module: str) -> Namespace:
    """Import a module of the project, unless the fork server has; return its names."""
    sys.path.insert(0, str(root))
    imported_module = sys.modules.get(module)
    if imported_module and root not in Path(imported_module.__file__ or "").parents:
        for name in list(sys.modules):  # forget another project's modules
            if name.partition(".")[0] in ("microgpt", "snippets"):
                del sys.modules[name]
    try:
        namespace = vars(import_module(module)) if module else {}
    except Exception:  # noqa: BLE001  (blocks that import the project report its error)
        return {}
    return {name: value for name, value in namespace.items() if name[0] != "_"}


def _run_block(
    source: str, path: Path, namespace: Namespace, captured: BinaryIO
) -> tuple[str, str]:
    """Run a block in the namespace of its chain; return what it printed, and its failure.

    The page's path is for tracebacks. Standard output and error, which a block must not
    write to except by `print`, are redirected to the file `captured`.
    """
    printed, failure = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(source, path, "exec"), namespace)  # noqa: S102
    except BaseException as error:  # noqa: BLE001  (a block may raise anything)
        in_block = error.__traceback__ and error.__traceback__.tb_next
        lines = traceback.format_exception(error.with_traceback(in_block))
        failure = "".join(lines).rstrip()
    else:
        for stream in filter(None, (sys.__stdout__, sys.__stderr__)):
            stream.flush()
        captured.seek(0)
        if written := captured.read().decode("utf-8", "replace"):
            failure = (
                f"the block writes {shorten_and_quote(written)} to stderr or past print(), "
                "where no page shows it: print it, or keep it from being written"
            )
    return printed.getvalue(), failure


def _evaluate(chain: BlockChain, namespace: Namespace, results: RunResults) -> None:
    """Add the value or the error of each of a chain's expressions to its results.

    Expressions that need a missing library are skipped; if a block was skipped for that
    reason, all are, because it might have changed any name.
    """
    for stated in chain.expressions:
        if chain.missing_libraries:
            results.missing_libraries.append(chain.missing_libraries[0])
            continue
        try:
            value = eval(stated.expression, {**namespace})
            converted = stated.convert(value, stated.expression, namespace)
            results.values[stated.line, stated.expression] = converted
        except (Exception, SystemExit) as error:  # noqa: BLE001
            missing = getattr(error, "name", "")
            if missing in OPTIONAL_LIBRARIES and find_spec(missing) is None:
                results.missing_libraries.append(missing)
                continue
            results.failures[stated.line] = (
                f"cannot evaluate {stated.expression!r}: {type(error).__name__}: {error}"
            )
