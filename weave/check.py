"""Checking pages and the project against the code.

Checking and updating are one: a statement that is not true is a `Correction`, which
`check` reports and `update` writes.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from weave import labs
from weave.corrections import Report
from weave.errors import WeaveError
from weave.fences import FENCE_KINDS, parse_fences
from weave.guide import Guide
from weave.page import Page
from weave.prose import PAGE_CHECKS
from weave.prose.glossary import check_explaining_pages
from weave.prose.numbers import check_numbers
from weave.publish import generated_files
from weave.publish.flash_cards import DECK_PATH
from weave.results import RunResults, is_hard_coded
from weave.run_blocks import find_stated_expressions, run_page


def check_pages(
    guide: Guide,
    paths: list[Path],
    report_progress: Callable[[str], None] = lambda _: None,
    *,
    run_labs: bool = False,
) -> Report:
    """Run pages, several at a time, and compare what they state with the results.

    Args:
        guide: The guide that has the pages.
        paths: The pages and labs to check, relative to the project.
        report_progress: Called with the name of each page before its turn.
        run_labs: Run labs again, which takes minutes. Otherwise a lab is only compared
            with the hash that was recorded when it last ran.
    """
    report = Report()
    # Threads only wait for processes: CPython 3.11 cannot parse in two threads at once.
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        runs = [(path, pool.submit(run_page, guide, path)) for path in paths]
        for number, (path, run) in enumerate(runs, 1):
            report_progress(f"page {number} of {len(runs)}: {path}")
            if path in guide.lab_paths:
                text = guide.read_text(path)
                report.add(labs.check_lab(guide.root, path, text, run_labs))
            report.add(_check_page_after_run(guide, path, run, report))
    finally:  # also when an author presses Ctrl-C
        pool.shutdown(cancel_futures=True)
    return report


def _check_page_after_run(
    guide: Guide, path: Path, run: Future[RunResults], report: Report
) -> Iterator[WeaveError]:
    page = guide.read_page(path)
    results = run.result()
    report.missing_libraries += results.missing_libraries
    yield from check_page(guide, page, results)


def check_page(
    guide: Guide, page: Page, results: RunResults, *, only_results: bool = False
) -> Iterator[WeaveError]:
    """Yield each statement of a page that is not true.

    With `only_results`, check only blocks that have results, and expressions: other
    chains of blocks of the page are checked separately.
    """
    for line, message in results.failures.items():
        yield page.error(message, line)
    for stated in find_stated_expressions(page):
        if is_hard_coded(stated.expression):
            yield page.error(
                f"{stated.expression!r} names nothing of the code, so it cannot become "
                "wrong: write an expression that uses a name",
                stated.line,
            )
    checks = [
        fence.check(guide, results)
        for fence in parse_fences(page)
        if not only_results or fence.line in results.outputs or any(fence.expressions())
    ]
    checks.append(check_numbers(page, results))
    if not only_results:
        checks += [check(guide, page) for check in PAGE_CHECKS]
    yield from _run_checks(checks)


def check_project(guide: Guide) -> Iterator[WeaveError]:
    """Yield what is wrong with the project as a whole, such as unexplained lines."""
    kinds = [kind.check_completeness for kind in FENCE_KINDS]
    checks = [*kinds, check_explaining_pages, _find_untested_files]
    yield from _run_checks(check(guide) for check in checks)


def _run_checks(checks: Iterable[Iterator[WeaveError]]) -> Iterator[WeaveError]:
    """Yield the findings of each check; an error that a check raises ends only it."""
    for check in checks:
        try:
            yield from check
        except WeaveError as error:
            yield error


def _find_untested_files(guide: Guide) -> Iterator[WeaveError]:
    """Yield files of docs/ that no test checks, and tests that don't name theirs."""
    recorded = guide.weave_settings.get("recorded", {})
    checked = {*guide.lab_paths, *(Path("docs", "data", name) for name in recorded)}
    checked |= {path for path, _ in generated_files.generate_file_texts(guide)}
    checked.add(DECK_PATH)
    theme = guide.mkdocs_settings.get("theme", {})
    checked |= {Path("docs", theme[key]) for key in ("logo", "favicon") if key in theme}
    for file in sorted((guide.root / "docs").rglob("*")):
        path = file.relative_to(guide.root)
        is_styling = path.parts[1:2] in (("styles",), ("assets",))
        suffixes = (".css", ".woff2") if is_styling else (".md",)
        if file.is_file() and path not in checked and path.suffix not in suffixes:
            yield WeaveError(
                "no test checks this file: name one below [tool.weave.recorded] in "
                "pyproject.toml",
                path,
            )
    for name, test in recorded.items():
        file = guide.root / test
        if not (file.is_file() and Path(name).stem in file.read_text("utf-8")):
            yield WeaveError(
                f"[tool.weave.recorded] says that {test} checks docs/data/{name}, but "
                f"the test does not name {Path(name).stem}",
                Path("pyproject.toml"),
            )
