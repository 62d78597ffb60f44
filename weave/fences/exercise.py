"""Exercises: programs for readers to write, each with a check that gives hints.

An exercise is a folder of three files; `snippets/exercises/__init__.py` says what is in
each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from weave.errors import WeaveError
from weave.fences.base import (
    RenderContext,
    TypedFence,
    cell_toolbar_html,
    copy_button_html,
    permalink_html,
)
from weave.guide import Guide
from weave.json_process import RequestError

EXERCISES_FOLDER = Path("snippets", "exercises")
CHECK_FILE, SOLUTION_FILE, ATTEMPTS_FILE = "check.py", "solution.py", "attempts.diff"


class Exercise(TypedFence):
    """An exercise, by the name of its folder in `snippets/exercises/`."""

    language = "exercise"

    @property
    def name(self) -> str:
        """The name of the exercise's folder."""
        return "\n".join(self.fence.body)

    def resolve(self, guide: Guide) -> SolutionAndAttempts:
        """Return the exercise's solution, and its attempts, which don't pass."""
        is_name = re.fullmatch(r"[a-z_]+", self.name)
        folder = EXERCISES_FOLDER / self.name
        if not is_name or folder not in find_exercise_folders(guide.root):
            raise self.error(
                f"there is no exercise {self.name!r}: name a folder of "
                f"{EXERCISES_FOLDER.as_posix()}"
            )
        return read_solution_and_attempts(guide, folder)

    def render(self, context: RenderContext) -> list[str]:
        """Return an editor with the starting program, above the folded solution."""
        programs, anchor = self.resolve(context.guide), f"exercise-{self.name}"
        start, solution = programs.starting_program, programs.solution
        opening = (
            f'<div class="exercise"><div class="cell" id="{anchor}" '
            f'data-exercise="{self.name}" data-python-hash="{context.guide.python_archive_hash}" '
            f'role="group" aria-label="Exercise">'
            f"{copy_button_html(start)}{permalink_html(anchor)}"
        )
        between = (
            f'{cell_toolbar_html("Check")}<p class="hint" role="status"></p></div>'
            '<details class="solution"><summary>A solution</summary>'
        )
        return [
            *context.wrap_code(opening, "python", start.splitlines(), between),
            *context.wrap_code("", "python", solution.splitlines(), "</details></div>"),
        ]

    @classmethod
    def check_completeness(cls, guide: Guide) -> Iterator[WeaveError]:
        """Yield errors for exercises that no page has, or with unreliable checks."""
        names = {exercise.name for exercise in cls.find_in_guide(guide)}
        for folder in find_exercise_folders(guide.root):
            if folder.name not in names:
                yield WeaveError(
                    "no page has this exercise: add an 'exercise' fence that names it",
                    folder,
                )
            try:
                yield from _check_solution_and_attempts(guide, folder)
            except RequestError as error:
                yield WeaveError(f"cannot check this exercise: {error}", folder)
            except WeaveError as error:
                yield error


@dataclass(frozen=True)
class SolutionAndAttempts:
    """The solution of an exercise, which passes its check, and attempts, which don't."""

    solution: str
    # As `snippets.exercises.parse_attempts` returns them: program, hint and line
    attempts: list[Any]

    @property
    def starting_program(self) -> str:
        """The program that readers begin with: the first attempt."""
        return str(self.attempts[0].program)


def find_exercise_folders(root: Path) -> list[Path]:
    """Return the folder of each exercise, relative to the root of the project."""
    checks = root.glob(f"{EXERCISES_FOLDER}/*/{CHECK_FILE}")
    return sorted(path.parent.relative_to(root) for path in checks)


def read_solution_and_attempts(guide: Guide, folder: Path) -> SolutionAndAttempts:
    """Read the solution and the attempts of an exercise's folder.

    Raises:
        WeaveError: A file is missing, or an attempt does not fit the solution.
    """
    solution, path = guide.read_text(folder / SOLUTION_FILE), folder / ATTEMPTS_FILE
    # The project's own parser, which its checks of exercises use too
    parse_attempts = import_module(".".join(EXERCISES_FOLDER.parts)).parse_attempts
    try:
        attempts = parse_attempts(guide.read_text(path), solution)
        return SolutionAndAttempts(solution, attempts)
    except ValueError as error:
        raise WeaveError(error.args[0], path, error.args[1]) from None


def _check_solution_and_attempts(guide: Guide, folder: Path) -> Iterator[WeaveError]:
    """Yield errors for a solution that fails, or attempts that don't fail as stated."""
    programs, path = read_solution_and_attempts(guide, folder), folder / ATTEMPTS_FILE

    def run_check(program: str) -> str:
        """Return the hint or error that a reader gets, or nothing if it passes."""
        request = {"exercise": folder.name, "program": program}
        return str(guide.python_process.request(request))

    if hint := run_check(programs.solution):
        yield WeaveError(
            f"the solution does not pass the check: {hint}", folder / SOLUTION_FILE, 1
        )
    for attempt in programs.attempts:
        hint = run_check(attempt.program)
        if not hint:
            yield WeaveError(
                "this attempt passes the check: give one that fails, or let the check "
                "refuse it",
                path,
                attempt.line,
            )
        elif hint != attempt.hint:
            yield WeaveError(
                f"expected the hint {attempt.hint!r}, got {hint!r}: correct this file "
                f"or {CHECK_FILE}",
                path,
                attempt.line,
            )
