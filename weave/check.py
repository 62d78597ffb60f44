"""Comparing the guide with what is true. Checking and updating are one: a claim that is
not true is a correction, which `check` reports and `update` makes.
"""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from weave import labs
from weave.counts import filled
from weave.errors import WeaveError
from weave.findings import Correction, Finding, Report, Results, is_hard_coded
from weave.guide import Guide
from weave.kinds import KINDS, fences
from weave.page import Page
from weave.prose import PROSE
from weave.publish import generated
from weave.run import questions, run_page


def examine(guide: Guide, paths: list[Path]) -> Report:
    """Run pages, several at a time, each in a process of its own, and compare."""
    report = Report()
    # Threads wait for processes, no more: CPython 3.11 cannot parse in two at once.
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        runs = [(path, pool.submit(_run, guide, path)) for path in paths]
        for path, run in runs:
            report.add(_compare(guide, path, run, report.waiting))
    finally:  # also when an author presses Ctrl-C
        pool.shutdown(cancel_futures=True)
    return report


def _run(guide: Guide, path: Path) -> Results | str:
    """Run a page, or a notebook: it comes back with what its cells give."""
    if path in guide.labs:
        return labs.executed(guide.root, guide.text(path), path)
    return run_page(guide, guide.read(path))


def _compare(
    guide: Guide,
    path: Path,
    run: Future[Results | str],
    waiting: list[tuple[str, str]],
) -> Iterator[Finding]:
    page, found = guide.read(path), run.result()
    if isinstance(found, str):
        if found != guide.text(page.path):
            message = "its cells give something else"
            yield Correction(page.path, (1, 0), None, found, message)
        found = Results()
    waiting += found.waiting
    yield from findings(guide, page, found)


def findings(
    guide: Guide, page: Page, results: Results, *, all_of_it: bool = True
) -> Iterator[Finding]:
    """Yield what a page states and is not so, given what came of running it.

    Unless it's to be `all_of_it`, look only at blocks that ran and at expressions.
    """
    for line, message in results.failures.items():
        yield page.error(message, line)
    for question in questions(page):
        if is_hard_coded(question.expression):
            what = f"{question.expression!r} computes nothing: name what it is about"
            yield page.error(what, question.line)
    if all_of_it:
        for line, text in page.prose():
            try:
                filled(guide, text)
            except Exception as error:  # noqa: BLE001  (a page may write anything)
                yield page.error(f"nothing can be counted: {error}", line)
    checks = [
        (f.line in results.outputs or any(f.questions()), f.check(guide, results))
        for f in fences(page)
    ]
    checks += [(any(p.questions(page)), p.check(guide, page, results)) for p in PROSE]
    for is_of_this_run, found in checks:
        if not (all_of_it or is_of_this_run):
            continue
        try:
            yield from found
        except WeaveError as error:  # it can say no more; the others can
            yield error


def examine_project(guide: Guide) -> Iterator[Finding]:
    """Compare what no single page states."""
    kinds, prose = [k.examine for k in KINDS], [p.examine for p in PROSE]
    for examine in (*kinds, *prose, _unchecked_files, generated.examine):
        try:
            yield from examine(guide)
        except WeaveError as error:  # it can say no more; the others can
            yield error


def _unchecked_files(guide: Guide) -> Iterator[Finding]:
    """Find files that a page could lead to and that nothing compares."""
    recorded = guide.options.get("recorded", {})
    known = {*guide.labs, *(Path("docs", "data", name) for name in recorded)}
    known |= {path for path, _ in generated.generated(guide)}
    theme = guide.settings.get("theme", {})
    known |= {Path("docs", theme[key]) for key in ("logo", "favicon") if key in theme}
    for file in sorted((guide.root / "docs").rglob("*")):
        path = file.relative_to(guide.root)
        style = path.parts[1:2] in (("styles",), ("assets",))
        suffixes = (".css", ".woff2") if style else (".md",)
        if file.is_file() and path not in known and path.suffix not in suffixes:
            yield WeaveError("nothing checks what this file says", path)
    for name, test in recorded.items():
        file = guide.root / test
        if not (file.is_file() and Path(name).stem in file.read_text("utf-8")):
            what = f"{test}, said to check docs/data/{name}, does not name it"
            yield WeaveError(what, Path("pyproject.toml"))
