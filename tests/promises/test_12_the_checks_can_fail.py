"""The checks can fail: each altered claim of each page must be reported.

So must planted lies of each kind: those on a page by the check of the page, and those about
the project by the command that CI runs, in a copy of the project.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tests.built_site import Site
from tests.marks import mark_all_but_first, nightly, thorough
from tests.processes import ROOT, CompletedProcess, run_python
from tests.site.browsing import MARKDOWN_PAGES
from tests.writing import write_with_new_mtime
from weave.check import check_page, check_pages
from weave.errors import WeaveError
from weave.fences.diagram import ComputationGraph
from weave.fences.python_block import PythonBlock
from weave.fences.shell_session import ShellSession
from weave.guide import Guide
from weave.page import Page, parse_page
from weave.prose.numbers import find_computed_numbers
from weave.results import RunResults


def alter_last_character(text: str) -> str:
    """Change the last digit of a text, or its last letter if it has no digit."""
    for pattern in (r"\d", r"\w", r"\S"):
        if matches := list(re.finditer(pattern, text)):
            at = matches[-1].start()
            other = "7" if text[at] != "7" else "8"
            return text[:at] + (other if pattern == r"\d" else "§") + text[at + 1 :]
    return text + "?"


class AlteredLine(NamedTuple):
    """A line of a page with an altered claim, and the lines where a check may report it."""

    line_number: int
    text: str
    expected_lines: range


def alter_claims(page: Page) -> Iterator[AlteredLine]:
    """Yield an alteration of each claim of a page."""
    for number in find_computed_numbers(page):
        line, at = page.lines[number.line - 1], number.line
        before, after = line[: number.start_column], line[number.end_column :]
        lie = before + alter_last_character(number.text) + after
        yield AlteredLine(at, lie, range(at, at + 1))
    for fence in page.fences:
        claims = ("expected-output", "graph")
        claiming = fence.language in ("session", "source")
        if claiming or any(fence.directive(name) for name in claims):
            expected_lines = range(fence.line - 1, fence.end + 1)
            for at, line in enumerate(fence.body, fence.line + 1):
                # Lines of classes and titles of listings claim nothing.
                if line.strip() and not line.strip().startswith(("class ", "? ")):
                    yield AlteredLine(at, alter_last_character(line), expected_lines)


def make_true_results(page: Page) -> RunResults:
    """Return the results of running a page, supposing that all its claims are true."""
    answers: dict[tuple[int, str], object] = {}
    for graph in ComputationGraph.find_on_page(page):
        for question in graph.expressions():
            answers[question.line, question.expression] = graph.fence.text
    for number in find_computed_numbers(page):
        answers[number.line, number.expression] = parse_value(number.text.strip("`"))
    outputs = {
        b.line: b.expected_output.fence.text
        for b in PythonBlock.find_on_page(page)
        if b.expected_output
    }
    sessions = {s.line: s.fence.text for s in ShellSession.find_on_page(page)}
    return RunResults(outputs, answers, session_outputs=sessions)


def parse_value(text: str) -> int | float | str:
    for convert in (int, float):
        with suppress(ValueError):
            return convert(text.replace(",", "").replace("−", "-"))
    return text


def find_reported_lines(
    guide: Guide, page: Page, results: RunResults, lies: list[AlteredLine]
) -> set[int]:
    """Return the lines that a check reports on a page with altered lines."""
    lines, reported = list(page.lines), set[int]()
    for lie in lies:
        lines[lie.line_number - 1] = lie.text
    try:
        altered = parse_page(page.path, "\n".join(lines))
        reported.update(finding.line for finding in check_page(guide, altered, results))
    except WeaveError as error:
        reported.add(error.line)
    return reported


@pytest.mark.parametrize(
    "path", mark_all_but_first(MARKDOWN_PAGES, key=lambda path: path.parent), ids=str
)
def test_every_altered_claim_of_a_page_is_reported(path: Path, guide: Guide) -> None:
    page = guide.read_page("docs" / path)
    results = make_true_results(page)
    assert not find_reported_lines(guide, page, results, [])
    lies_of_lines: dict[range, list[AlteredLine]] = {}
    for lie in alter_claims(page):
        lies_of_lines.setdefault(lie.expected_lines, []).append(lie)
    # One alteration of each line and fence is checked at the same time.
    for group in zip_longest(*lies_of_lines.values()):
        lies = [lie for lie in group if lie]
        reported = find_reported_lines(guide, page, results, lies)
        for lie in lies:
            # Where one lie hides others from the check, each is checked alone.
            if reported.isdisjoint(lie.expected_lines):
                assert find_reported_lines(guide, page, results, [lie]), lie


@dataclass
class Lie:
    """A change to one file that makes the guide false, as `lies.yml` explains."""

    name: str
    path: str
    old: str = "\n\n```"
    new: str = ""
    added: str = ""
    by: str = ""
    because: str = "failed"
    page: str = ""

    def apply_to(self, true_text: str) -> str:
        """Return the text of a file with the lie in it."""
        assert self.old in true_text, f"{self.path} no longer has {self.old!r}"
        if self.path.startswith("microgpt/"):
            assert true_text.count(self.old) == 1, f"{self.old!r} may be in a docstring"
        new = f"\n\n{self.added}{self.old}" if self.added else self.new
        return true_text.replace(self.old, new, 1)


LIES_BY_NAME = yaml.safe_load(Path(__file__).with_name("lies.yml").read_text("utf-8"))
LIES = [Lie(name, fields.pop("in"), **fields) for name, fields in LIES_BY_NAME.items()]
PAGE_LIES = [lie for lie in LIES if not lie.by]


@pytest.fixture(scope="module")
def project_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, with its built files and npm packages."""
    root = tmp_path_factory.mktemp("copy") / "project"
    ignored = shutil.ignore_patterns(".?*", "node_modules", "__pycache__")
    shutil.copytree(ROOT, root, ignore=ignored)
    # The workflow that publishes the site is part of each edition.
    shutil.copytree(ROOT / ".github", root / ".github")
    (root / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    return root


def run_module_in(root: Path, command: str, **extra: str) -> CompletedProcess:
    extra |= {"PYTHONPATH": str(root), "NO_MKDOCS_2_WARNING": "1"}
    return run_python("-m", *command.split(), cwd=root, **extra)


@pytest.mark.parametrize("lie", mark_all_but_first(PAGE_LIES), ids=attrgetter("name"))
def test_planted_lie_on_a_page_is_reported(lie: Lie) -> None:
    path = Path(lie.path)
    overrides = {path: lie.apply_to((ROOT / path).read_text("utf-8"))}
    report = check_pages(Guide(ROOT, overrides), [Path(lie.page or lie.path)])
    messages = [str(error) for error in (*report.corrections, *report.errors)]
    assert any(lie.because in message for message in messages), messages


@thorough
@pytest.mark.parametrize("command", sorted({lie.by for lie in LIES} - {""}))
def test_planted_lies_are_reported_by_command(command: str, project_copy: Path) -> None:
    """All lies of a command are planted at once, for it reports all that it finds."""
    lies = [lie for lie in LIES if lie.by == command]
    true = {lie.path: (ROOT / lie.path).read_text("utf-8") for lie in lies}
    for lie in lies:
        file = project_copy / lie.path
        write_with_new_mtime(file, lie.apply_to(file.read_text("utf-8")))
    result = run_module_in(project_copy, command)
    for path, text in true.items():
        write_with_new_mtime(project_copy / path, text)
    assert result.returncode != 0
    printed = result.stdout + result.stderr
    assert [lie.name for lie in lies if lie.because not in printed] == [], printed


def read_files(folder: Path) -> dict[str, bytes]:
    files = [f for f in folder.rglob("*") if f.is_file() and f.name != ".done"]
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in files}


@nightly
def test_site_builds_are_equal_byte_for_byte(project_copy: Path, site: Site) -> None:
    other = {"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "0"}
    result = run_module_in(project_copy, "mkdocs build --strict", **other)
    assert result.returncode == 0, result.stdout + result.stderr
    here, there = read_files(site.folder), read_files(project_copy / "site")
    assert here.keys() == there.keys()
    different = {name for name in here if here[name] != there[name]}
    # The header of gzip has the build's day; pages.yml sets the commit's.
    assert different == {"sitemap.xml.gz"}
