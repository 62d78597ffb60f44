"""Exercises: attempts, hints, and faults in their checks."""

import math
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from microgpt import Value
from snippets.exercises import find_hint, parse_attempts
from tests.processes import ROOT
from weave.fences.exercise import EXERCISES_FOLDER, Exercise, find_exercise_folders
from weave.guide import Guide

SOLUTION = "a = 1\nb = 2\na = 1\nc = a\n"


def find_faults_after_edit(root: Path, file: str, old: str, new: str) -> list[str]:
    """Return the faults of a copied exercise after an edit of one of its files."""
    for package in ("microgpt", "snippets", "web/runtime"):
        shutil.copytree(ROOT / package, root / package)
    for folder in find_exercise_folders(ROOT):
        if folder.name != "tanh":
            shutil.rmtree(root / folder)
    for settings in ("mkdocs.yml", "pyproject.toml"):
        (root / settings).touch()
    path = root / EXERCISES_FOLDER / "tanh" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    # The first fault is that no page has this exercise.
    _, *faults = Exercise.check_completeness(Guide(root))
    return [str(fault) for fault in faults]


def test_parse_attempts_returns_hints_and_edited_solutions() -> None:
    text = (
        "Begin\nhere.\n-c = a\n\nWrong.\n b = 2\n+d = 3\n a = 1\n@@\n-c = a\n+c = d\n"
    )
    start, wrong = parse_attempts(text, SOLUTION)
    assert (start.line, start.hint, start.program) == (1, "Begin here.", SOLUTION[:-6])
    assert (wrong.line, wrong.hint) == (5, "Wrong.")
    assert wrong.program == "a = 1\nb = 2\nd = 3\na = 1\nc = d\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-b = 2\n", "expected a hint, and below it"),
        ("A hint.\n-b = 3\n+b = 4\n", "stand 0 times in solution.py, not once"),
        ("A hint.\n-a = 1\n+a = 2\n", "stand 2 times in solution.py, not once"),
        ("A hint.\n+d = 3\n", "from '+d = 3"),
    ],
)
def test_attempt_not_matching_the_solution_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_attempts(text, SOLUTION)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            ("attempts.diff", "Value(t)", "Value(t, (x,), (1 - t * t,))"),
            ":1: this attempt passes the check",
        ),
        (
            ("attempts.diff", "1 - x.data**2", "1 - t"),
            ":38: expected the hint 'The square is that of the result",
        ),
        (
            ("check.py", "in (0.5,", "in (0.5, 1 / 0,"),
            ":1: the solution does not pass the check: Zero",
        ),
    ],
)
def test_exercise_with_a_wrong_attempt_or_check_is_reported(
    tmp_path: Path, edit: tuple[str, str, str], message: str
) -> None:
    assert message in find_faults_after_edit(tmp_path, *edit)[0]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (None, "Keep the name tanh: the check looks for that function."),
        (lambda x: x * 2, "For 0.5, the data should be 0.4621, not 1."),
        (lambda x: Value(math.tanh(x.data)), "The result remembers nothing: give "),
        (lambda x: 1 - 2 / ((x * 2).exp() + 1), "At 1000 an exponential overflows."),
        (lambda x: 2 / ((x * -2).exp() + 1) - 1, ""),
    ],
)
def test_hint_names_mistakes_that_no_attempt_makes(program: Any, message: str) -> None:
    hint = find_hint("tanh", {"tanh": program} if program else {})
    assert hint.startswith(message) and bool(hint) == bool(message)
