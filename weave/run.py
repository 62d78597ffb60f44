"""Running a page: its blocks in order, then every expression that it states.

A page runs in a process of its own, in an empty folder, so that nothing it does
reaches another page or the tree. `python -m weave.run` is that process.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from weave.findings import Question, Results
from weave.guide import Guide
from weave.kinds import fences
from weave.page import Page
from weave.process import Stopped, run_module
from weave.prose import PROSE


def questions(page: Page) -> list[Question]:
    """Return every expression that a page states."""
    asked = [question for fence in fences(page) for question in fence.questions()]
    return [*asked, *(q for prose in PROSE for q in prose.questions(page))]


def run_page(root: Path, page: Page) -> Results:
    """Run a page's blocks, then evaluate its expressions."""
    steps = [step for fence in fences(page) for step in fence.steps()]
    ran = {fence.line: fence.run(root) for fence in fences(page)}
    results = Results(
        ran={line: gave for line, gave in ran.items() if gave is not None}
    )
    asked = []
    for question in questions(page):
        above = [step for step in steps if step.line < question.line]
        # What is about blocks that cannot run here cannot be answered here.
        chain = above[-1].chain if above else 0
        if not any(step.lacks_library for step in steps if step.chain == chain):
            asked.append({**vars(question), "chain": chain})
    job = {
        "root": str(root),
        "page": str(page.path),
        "steps": [vars(step) for step in steps if step.runs],
        "questions": asked,
    }
    if job["steps"] or asked:
        done = _in_a_process(root, page, job)
        results.outputs = {int(line): text for line, text in done["outputs"].items()}
        results.failures = {int(line): text for line, text in done["failures"].items()}
        results.answers = {
            (line, asked): value for line, asked, value in done["answers"]
        }
    return results


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


def _work(job: dict[str, Any]) -> dict[str, Any]:
    """Do what `run_page` asks, in the process made for it."""
    outputs: dict[int, str] = {}
    answers: list[tuple[int, str, Any]] = []
    failures: dict[int, str] = {}
    namespaces: dict[int, dict[str, Any]] = {}
    broken = set()
    for block in job["steps"]:
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
            module, _, function = question["answer"].partition(":")
            answer = getattr(import_module(module), function)
            plain = answer(value, question["expression"], scope)
            answers.append((question["line"], question["expression"], plain))
        except BaseException as error:  # noqa: BLE001
            failures[question["line"]] = (
                f"{question['expression']}: {type(error).__name__}: {error}"
            )
    return {"outputs": outputs, "answers": answers, "failures": failures}


def _facts(root: str) -> dict[str, Any]:
    """Return what an expression may name besides what the page's blocks define."""
    import inspect

    import microgpt.cli.main
    import snippets
    import weave.kinds.ladder
    from weave.counts import names

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
        "guide": guide,
        **names(guide),
        "weave": weave,
    }


if __name__ == "__main__":
    done = _work(json.load(sys.stdin))
    Path(sys.argv[1]).write_text(json.dumps(done), encoding="utf-8")
