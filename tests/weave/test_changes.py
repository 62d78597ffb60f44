"""Differences between programs: shown whole, and none left out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from weave.changes import Changes, read_changes, unexplained

from tests.promises.site import ROOT
from weave.errors import WeaveError
from weave.guide import Guide
from weave.page import read_page

PAGE = "docs/reference/changes/step1-step2.md"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for folder in ("docs", "microgpt", "snippets"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for file in ("mkdocs.yml", "pyproject.toml"):
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def change(copy: Path, file: str, old: str, new: str) -> list[str]:
    """Change a file of the copy; return what is then left out."""
    path = copy / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return [str(error) for error in unexplained(Guide(copy))]


def read(text: str) -> Changes:
    page = read_page(Path("docs/page.md"), f"# A page\n\n```changes\n{text}\n```\n")
    return read_changes(ROOT, page, page.fences[0])


def test_the_guide_goes_through_every_line_that_changes() -> None:
    assert list(unexplained(Guide(ROOT))) == []


def test_a_difference_that_a_page_drops_is_named(copy: Path) -> None:
    dropped = "snippets.step1:sample -> snippets.step2:sample"
    [error] = change(
        copy, PAGE, dropped, "snippets.step1:train -> snippets.step2:train"
    )
    assert "no page goes through all that changes from step1.py to step2.py" in error
    assert error.startswith("snippets/step1.py:")


def test_a_new_line_of_a_program_needs_its_reason(copy: Path) -> None:
    extra = "def extra() -> None:\n    pass\n\n\ndef write_losses"
    came, went = change(copy, "snippets/step2.py", "def write_losses", extra)
    for error, pair in ((came, "step1.py to step2.py"), (went, "step2.py to step3.py")):
        assert f"from {pair}: 2 of its lines are left out" in error
        assert error.startswith("snippets/step2.py:")


def test_one_side_may_be_empty() -> None:
    new = read("-> snippets.step1:zeros_like").lines()
    gone = read("snippets.step1:zeros_like ->").lines()
    assert new[0] == "+def zeros_like(weights: Weights) -> Weights:"
    assert [line[1:] for line in gone] == [line[1:] for line in new]
    assert {line[0] for line in gone} == {"-"}


@pytest.mark.parametrize(
    "text", ["", "->", "snippets.step1:train", "-> snippets.step1:nothing"]
)
def test_what_names_no_code_is_refused(text: str) -> None:
    with pytest.raises(WeaveError):
        read(text)
