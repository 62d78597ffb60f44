"""Differences between programs: shown whole, and none left out."""

from pathlib import Path

import pytest

from tests.promises.site import ROOT
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.changes import Changes, Sides
from weave.page import read_page


def left_out(file: str, old: str, new: str) -> list[str]:
    """Return what is left out once a file says something else."""
    path = Path(file)
    text = Guide(ROOT).text(path)
    assert old in text
    guide = Guide(ROOT, told={path: text.replace(old, new, 1)})
    return [str(finding) for finding in Changes.examine(guide)]


def read(text: str) -> Sides:
    page = read_page(Path("docs/page.md"), f"# A page\n\n```changes\n{text}\n```\n")
    (changes,) = Changes.on(page)
    return changes.content(Guide(ROOT))


def test_the_guide_goes_through_every_line_that_changes() -> None:
    assert list(Changes.examine(Guide(ROOT))) == []


def test_a_new_line_of_a_program_needs_its_reason() -> None:
    extra = "def extra() -> None:\n    pass\n\n\ndef write_losses"
    came, went = left_out("snippets/step2.py", "def write_losses", extra)
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
