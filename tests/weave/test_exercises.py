"""An exercise whose check cannot tell right from wrong is refused."""

import math
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from microgpt import Value
from snippets.exercises import hint, read_attempts
from tests.promises.site import ROOT
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.exercise import FOLDER, Exercise, exercises, faults
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
    start, wrong = read_attempts(text, SOLUTION)
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
        ("A hint.\n+d = 3\n", "from '+d = 3"),
    ],
)
def test_an_edit_says_where_it_belongs(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        read_attempts(text, SOLUTION)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            *("attempts.diff", "Value(t)", "Value(t, (x,), (1 - t * t,))"),
            "attempts.diff:1: passes the check",
        ),
        (
            *("check.py", "in (0.5,", "in (0.5, 1 / 0,"),
            "solution.py:1: does not pass the check: ZeroDivisionError",
        ),
        (
            *("attempts.diff", "1 - x.data**2", "1 - t"),
            "attempts.diff:38: gets 'The gradient of x is not the slope of tanh.",
        ),
    ],
)
def test_what_cannot_tell_right_from_wrong_is_a_fault(
    copy: Path, file: str, old: str, new: str, told: str
) -> None:
    assert told in tell(copy, file, old, new)[0]


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (None, "Keep the name tanh: the check looks for that function."),
        (lambda x: x * 2, "For 0.5, the data should be 0.4621, not 1."),
        (lambda x: Value(math.tanh(x.data)), "The result remembers nothing: give "),
        (lambda x: 1 - 2 / ((x * 2).exp() + 1), "At 1000 an exponential overflows."),
        (lambda x: 2 / ((x * -2).exp() + 1) - 1, ""),
    ],
)
def test_what_no_attempt_does_is_told_as_it_is(program: Any, told: str) -> None:
    found = hint("tanh", {"tanh": program} if program else {})
    assert found.startswith(told) and bool(found) == bool(told)


@pytest.mark.parametrize("name", ["nonsense", "../tanh", "tanh\ntanh", ""])
def test_a_fence_names_an_exercise(name: str) -> None:
    text = f"# A page\n\n```exercise\n{name}\n```\n"
    page = read_page(Path("docs/page.md"), text)
    with pytest.raises(WeaveError, match="there is no exercise"):
        Exercise(page, page.fences[0]).content(Guide(ROOT))
