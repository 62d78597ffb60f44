"""An exercise whose check cannot tell right from wrong is refused."""

import shutil
from pathlib import Path

import pytest

from tests.promises.site import ROOT
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.exercise import (
    FOLDER,
    Exercise,
    exercises,
    faults,
    read_attempts,
)
from weave.page import read_page

SOLUTION = "a = 1\nb = 2\na = 1\nc = a\n"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A project with one exercise."""
    for package in ("microgpt", "snippets", "web/runtime"):
        shutil.copytree(ROOT / package, tmp_path / package)
    for folder in exercises(ROOT):
        if folder.name != "tanh":
            shutil.rmtree(tmp_path / folder)
    for file in ("mkdocs.yml", "pyproject.toml"):
        (tmp_path / file).touch()
    return tmp_path


def tell(copy: Path, file: str, old: str, new: str) -> list[str]:
    """Change a file of the exercise; return what is then wrong."""
    path = copy / FOLDER / "tanh" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return [str(fault) for fault in faults(Guide(copy))]


def test_an_attempt_is_a_hint_and_an_edit_of_the_solution() -> None:
    text = (
        "Begin\nhere.\n-c = a\n\nWrong.\n b = 2\n+d = 3\n a = 1\n@@\n-c = a\n+c = d\n"
    )
    start, wrong = read_attempts(Path("x"), SOLUTION, text)
    assert (start.line, start.hint, start.program) == (1, "Begin here.", SOLUTION[:-6])
    assert (wrong.line, wrong.hint) == (5, "Wrong.")
    assert wrong.program == "a = 1\nb = 2\nd = 3\na = 1\nc = d\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "an attempt is a hint"),
        ("A hint alone.\n", "below it lines with '-'"),
        ("-b = 2\n", "an attempt is a hint"),
        ("A hint.\n-b = 3\n+b = 4\n", "stand 0 times in solution.py, not once"),
        ("A hint.\n-a = 1\n+a = 2\n", "stand 2 times in solution.py, not once"),
        ("A hint.\n+d = 3\n", "from '+d = 3\\n' on"),
    ],
)
def test_an_edit_says_where_it_belongs(text: str, reason: str) -> None:
    with pytest.raises(WeaveError, match=r"^x") as refused:
        read_attempts(Path("x"), SOLUTION, text)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            *("attempts.diff", "Value(t)", "Value(t, (x,), (1 - t * t,))"),
            "attempts.diff:1: passes the check",
        ),
        (
            *("check.py", "slope = 1 - t * t", "slope = 1 - t"),
            "solution.py:1: does not pass the check: At 0.5 the slope",
        ),
        (
            *("check.py", "POINTS = (0.5,", "POINTS = (0.5, 1 / 0,"),
            "solution.py:1: does not pass the check: ZeroDivisionError",
        ),
        (
            *("attempts.diff", "The square is that of the result", "The cube"),
            "attempts.diff:43: gets 'The square is that of the result: the slope is",
        ),
    ],
)
def test_what_cannot_tell_right_from_wrong_is_a_fault(
    copy: Path, file: str, old: str, new: str, told: str
) -> None:
    assert told in tell(copy, file, old, new)[0]


def test_a_hint_that_no_attempt_gets_is_refused(copy: Path) -> None:
    text = (copy / FOLDER / "tanh" / "attempts.diff").read_text(encoding="utf-8")
    [attempt] = [each for each in text.split("\n\n") if "a float has forgotten" in each]
    [fault] = tell(copy, "attempts.diff", f"{attempt}\n\n", "")
    assert "check.py" in fault
    assert "no attempt gets this hint" in fault


@pytest.mark.parametrize("name", ["nonsense", "../tanh", "tanh\ntanh", ""])
def test_a_fence_names_an_exercise(name: str) -> None:
    text = f"# A page\n\n```exercise\n{name}\n```\n"
    page = read_page(Path("docs/page.md"), text)
    with pytest.raises(WeaveError, match="there is no exercise"):
        Exercise(page, page.fences[0]).content(Guide(ROOT))
