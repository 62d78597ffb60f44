"""Running a page: its blocks in order, then every expression that it states.

A page runs in a process of its own, in an empty folder, so that nothing it does
reaches another page or the tree. `python -m weave.run` is that process.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from weave.commands import play
from weave.numbers import share
from weave.page import Block, Page
from weave.process import Stopped, run_module


@dataclass
class Question:
    """An expression, the line that states it and the chain of blocks it is about."""

    kind: str  # number, graph or plot
    expression: str
    line: int
    chain: int


@dataclass
class Results:
    """What a page's blocks printed, by line, and what its expressions gave, by line.

    A failure is kept, by line, as a message in the place of what was to come.
    `sessions` says how each session on a command line goes.
    """

    outputs: dict[int, str]
    answers: dict[tuple[int, str], Any]
    failures: dict[int, str]
    sessions: dict[int, str] = field(default_factory=dict)


def questions(page: Page) -> list[Question]:
    """Return every expression of a page, each with the chain nearest above it."""
    found = [
        Question("number", number.expression, number.line, _chain(page, number.line))
        for number in page.numbers
    ]
    for fence in page.fences:
        for directive in fence.directives:
            if directive.name in ("graph", "plot"):
                chain = _chain(page, directive.line)
                expression, line = directive.argument, directive.line
                found.append(Question(directive.name, expression, line, chain))
    return found


def run_page(root: Path, page: Page) -> Results:
    """Run a page's blocks, then evaluate its expressions."""
    # What is about blocks that cannot run here cannot be answered here.
    idle = {
        block.chain
        for block in page.blocks
        if not block.runs_here and not block.skipped
    }
    asked = [vars(q) for q in questions(page) if q.chain not in idle]
    job = {
        "root": str(root),
        "page": str(page.path),
        "blocks": [
            {"line": b.fence.line, "chain": b.chain, "code": b.fence.text}
            for b in page.blocks
            if b.runs_here
        ],
        "questions": asked,
    }
    sessions = {
        f.line: play(root, page, f) for f in page.fences if f.language == "session"
    }
    if not job["blocks"] and not asked:
        return Results({}, {}, {}, sessions)
    result = _in_a_process(root, page, job)
    return Results(
        {int(line): text for line, text in result["outputs"].items()},
        {(line, expression): value for line, expression, value in result["answers"]},
        {int(line): text for line, text in result["failures"].items()},
        sessions,
    )


def _in_a_process(root: Path, page: Page, job: dict[str, Any]) -> dict[str, Any]:
    """Let a process of its own do the job, in an empty folder; return what it found."""
    with tempfile.TemporaryDirectory() as folder:
        answer, empty = Path(folder, "answer.json"), Path(folder, "empty")
        empty.mkdir()
        try:
            run_module(
                "weave.run",
                str(answer),
                within=empty,
                paths=[root],
                given=json.dumps(job),
            )
            found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        except (Stopped, OSError) as error:
            what = f"Python stopped while running this page: {error}"
            raise page.error(what) from None
    return found


def _chain(page: Page, line: int) -> int:
    above: list[Block] = [b for b in page.blocks if b.fence.line < line]
    return above[-1].chain if above else 0


def _work(job: dict[str, Any]) -> dict[str, Any]:
    """Do what `run_page` asks, in the process made for it."""
    outputs: dict[int, str] = {}
    answers: list[tuple[int, str, Any]] = []
    failures: dict[int, str] = {}
    namespaces: dict[int, dict[str, Any]] = {}
    broken = set()
    for block in job["blocks"]:
        namespace = namespaces.setdefault(block["chain"], {"__name__": "__main__"})
        if block["chain"] in broken:
            continue
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                # Blank lines above make a traceback name the line of the page.
                code = "\n" * block["line"] + block["code"]
                exec(compile(code, job["page"], "exec"), namespace)  # noqa: S102
        except BaseException as error:  # noqa: BLE001  (a block may raise anything)
            broken.add(block["chain"])
            below = error.__traceback__ and error.__traceback__.tb_next
            report = traceback.format_exception(error.with_traceback(below))
            failures[block["line"]] = "".join(report).rstrip()
        outputs[block["line"]] = printed.getvalue()
    facts = _facts(job["root"]) if job["questions"] else {}
    for question in job["questions"]:
        if question["chain"] in broken:
            continue  # what it is about has failed, and is reported
        try:
            scope = {**facts, **namespaces.get(question["chain"], {})}
            value = eval(question["expression"], scope)
            if question["kind"] == "graph":
                _check_graph(question["expression"], value, scope)
            answer = _plain(question["kind"], value)
            answers.append((question["line"], question["expression"], answer))
        except BaseException as error:  # noqa: BLE001
            failures[question["line"]] = (
                f"{question['expression']}: {type(error).__name__}: {error}"
            )
    return {"outputs": outputs, "answers": answers, "failures": failures}


def _check_graph(expression: str, value: Any, scope: dict[str, Any]) -> None:
    """Refuse a text that `mermaid` did not give, and a name that is another node's."""
    match ast.parse(expression, mode="eval").body:
        case ast.Call(func=ast.Name(id="mermaid"), args=[_, *rest]):
            names = eval(ast.unparse(rest[0]), scope) if rest else {}
            for name, node in names.items():
                if scope.get(name, node) is not node:
                    raise ValueError(f"{name!r} is the name of another node")
        case _ if isinstance(value, str):
            raise TypeError("is a text: give a Value, or mermaid(value, names)")


def _facts(root: str) -> dict[str, Any]:
    """Return what an expression may name besides what the page's blocks define."""
    import inspect

    import microgpt.cli
    import snippets
    import weave.ladder
    from weave.guide import Guide

    def recorded(name: str) -> Any:
        """Return what was measured in runs that take too long to wait for."""
        text = Path(root, "docs", "data", f"{name}.json").read_text("utf-8")
        return json.loads(text)

    def run(program: str) -> list[float]:
        """Return the recorded losses of a program of `snippets`."""
        losses: list[float] = recorded(program)
        return losses

    def learnt(program: str) -> dict[str, list[list[float]]]:
        """Return the recorded weights of a program of `snippets`, after its run."""
        weights: dict[str, list[list[float]]] = recorded(f"{program}-weights")
        return weights

    public = {name: getattr(microgpt, name) for name in microgpt.__all__}
    guide = Guide(Path(root))
    for program in guide.programs:
        import_module(f"snippets.{program.stem}")
    return {
        **public,
        "microgpt": microgpt,
        "snippets": snippets,
        "recorded": recorded,
        "run": run,
        "learnt": learnt,
        "source": inspect.getsource,
        "share": share,
        "guide": guide,
        "weave": weave,
    }


def _plain(kind: str, value: Any) -> Any:
    """Return a value as JSON can hold it; draw a graph; raise TypeError for others."""
    if kind == "number" and not isinstance(value, int | float | str):
        raise TypeError(f"gives {value!r}, which is neither a number nor a string")
    if kind == "graph" and not isinstance(value, str):
        from microgpt import mermaid

        return mermaid(value)
    if kind == "plot":
        return {
            name: [_six_digits(v) for v in series] for name, series in value.items()
        }
    return value


def _six_digits(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_six_digits(v) for v in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


if __name__ == "__main__":
    done = _work(json.load(sys.stdin))
    Path(sys.argv[1]).write_text(json.dumps(done), encoding="utf-8")
