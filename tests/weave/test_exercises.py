"""An exercise whose check cannot tell right from wrong is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from weave.exercises import FOLDER, exercises, faults, read_exercise

from tests.promises.site import ROOT
from weave.errors import WeaveError
from weave.page import read_page


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A project with one exercise."""
    for package in ("microgpt", "snippets", "web/runtime"):
        shutil.copytree(ROOT / package, tmp_path / package)
    for folder in exercises(ROOT):
        if folder.name != "tanh":
            shutil.rmtree(tmp_path / folder)
    return tmp_path


def tell(copy: Path, file: str, old: str, new: str) -> list[str]:
    """Change a file of the exercise; return what is then wrong."""
    path = copy / FOLDER / "tanh" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return [str(fault) for fault in faults(copy)]


def test_the_guide_has_exercises() -> None:
    """Promise 5 asks whether they tell right from wrong, with all that no page states."""
    assert len(exercises(ROOT)) >= 6


def test_a_start_that_passes_is_refused(copy: Path) -> None:
    [fault] = tell(copy, "start.py", "Value(t)", "Value(t, (x,), (1 - t * t,))")
    assert "start.py" in fault
    assert "nothing to do" in fault


def test_a_solution_that_fails_is_refused(copy: Path) -> None:
    [fault] = tell(copy, "solution.py", "1 - t * t", "1 - t")
    assert "solution.py" in fault
    assert "does not pass the check: At 0.5 the slope" in fault


def test_a_fault_may_tell_of_a_hint_with_two_lines(copy: Path) -> None:
    check = copy / FOLDER / "tanh" / "check.py"
    text = check.read_text(encoding="utf-8").replace("At {point:g} the", "At\\nthe")
    check.write_text(text, encoding="utf-8")
    found = tell(copy, "solution.py", "1 - t * t", "1 - t")
    [fault] = [fault for fault in found if "solution.py" in fault]
    assert "At\nthe slope" in fault


def test_a_solution_that_raises_is_refused(copy: Path) -> None:
    [fault] = tell(copy, "solution.py", "1 - t * t", "1 / 0")
    assert "ZeroDivisionError" in fault


def test_a_mistake_that_gets_another_hint_is_refused(copy: Path) -> None:
    said = "The square is that of the result"
    [fault] = tell(copy, "mistakes/squares_the_input.py", said, "The cube is that")
    assert "squares_the_input.py" in fault


def test_a_hint_that_no_mistake_gets_is_refused(copy: Path) -> None:
    (copy / FOLDER / "tanh" / "mistakes" / "gives_a_float.py").unlink()
    [fault] = [str(fault) for fault in faults(copy)]
    assert "check.py" in fault
    assert "no mistake gets the hint of line" in fault


def test_a_check_that_breaks_is_refused(copy: Path) -> None:
    found = tell(copy, "check.py", "POINTS = (0.5,", "POINTS = (0.5, 1 / 0,")
    assert any(
        "solution.py" in fault and "ZeroDivisionError" in fault for fault in found
    )


@pytest.mark.parametrize("name", ["nonsense", "../tanh", "tanh\ntanh", ""])
def test_a_fence_names_an_exercise(name: str) -> None:
    text = f"# A page\n\n```exercise\n{name}\n```\n"
    page = read_page(Path("docs/page.md"), text)
    with pytest.raises(WeaveError, match="there is no exercise"):
        read_exercise(ROOT, page, page.fences[0])
