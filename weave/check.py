"""Comparing the guide with what is true.

Checking and updating are one: a claim that is not true is a correction, which `check`
reports and `update` makes.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from weave import labs
from weave.corrections import Finding, Report
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds import KINDS, fences
from weave.page import Page
from weave.prose import CHECKS, OF_THE_PROJECT, numbers
from weave.publish import generated_files
from weave.results import RunResults, is_hard_coded
from weave.run_blocks import run_page, stated_expressions


def check_pages(guide: Guide, paths: list[Path], *, run_labs: bool = False) -> Report:
    """Run pages, several at a time, each chain in a process of its own, and compare.

    Labs take long: unless they're to be run, one just mustn't have changed since it was.
    """
    report = Report()
    # Threads wait for processes, no more: CPython 3.11 cannot parse in two at once.
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        runs = [(path, pool.submit(run_page, guide, path)) for path in paths]
        for path, run in runs:
            if path in guide.lab_paths:
                report.add(
                    labs.check_lab(guide.root, path, guide.read_text(path), run_labs)
                )
            report.add(_check_page_when_run(guide, path, run, report))
    finally:  # also when an author presses Ctrl-C
        pool.shutdown(cancel_futures=True)
    return report


def _check_page_when_run(
    guide: Guide, path: Path, run: Future[RunResults], report: Report
) -> Iterator[Finding]:
    page = guide.read_page(path)
    results = run.result()
    report.missing_libraries += results.missing_libraries
    yield from check_page(guide, page, results)


def check_page(
    guide: Guide, page: Page, results: RunResults, *, all_of_it: bool = True
) -> Iterator[Finding]:
    """Yield what a page states and is not so, given what came of running it.

    Unless it's to be `all_of_it`, look only at blocks that ran and at expressions.
    """
    for line, message in results.failures.items():
        yield page.error(message, line)
    for question in stated_expressions(page):
        if is_hard_coded(question.expression):
            what = f"{question.expression!r} computes nothing: name what it is about"
            yield page.error(what, question.line)
    checks = [
        fence.check(guide, results)
        for fence in fences(page)
        if all_of_it or fence.line in results.outputs or any(fence.questions())
    ]
    prose = CHECKS if all_of_it else [numbers.check]
    yield from _chain_checks(
        [*checks, *(check(guide, page, results) for check in prose)]
    )


def check_project(guide: Guide) -> Iterator[Finding]:
    """Compare what no single page states."""
    kinds = [kind.examine for kind in KINDS]
    checks = (*kinds, *OF_THE_PROJECT, _find_unchecked_files)
    yield from _chain_checks(check(guide) for check in checks)


def _chain_checks(checks: Iterable[Iterator[Finding]]) -> Iterator[Finding]:
    """Yield what each check finds, and the error after which it can say no more."""
    for check in checks:
        try:
            yield from check
        except WeaveError as error:
            yield error


def _find_unchecked_files(guide: Guide) -> Iterator[Finding]:
    """Find files that a page could lead to and that nothing compares."""
    recorded = guide.weave_settings.get("recorded", {})
    known = {*guide.lab_paths, *(Path("docs", "data", name) for name in recorded)}
    known |= {path for path, _ in generated_files.generate_files(guide)}
    theme = guide.mkdocs_settings.get("theme", {})
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
