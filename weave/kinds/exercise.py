"""Exercises: programs for readers to write, each with a check that gives hints.

An exercise is a folder of three files; `snippets/exercises/__init__.py` says what is in
each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from weave.corrections import Finding
from weave.errors import WeaveError
from weave.guide import Guide
from weave.json_process import RequestError
from weave.kinds.kind import BAR, COPY, LINK, Kind, View, code

FOLDER = Path("snippets", "exercises")
CHECK, SOLUTION, ATTEMPTS = "check.py", "solution.py", "attempts.diff"


class Exercise(Kind):
    """The name of a folder of exercises."""

    language = "exercise"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return "\n".join(self.fence.body)

    def content(self, guide: Guide) -> Programs:
        """Return its programs: the solution, and attempts that don't pass yet."""
        named = re.fullmatch(r"[a-z_]+", self.name)
        if not named or FOLDER / self.name not in exercises(guide.root):
            folder = FOLDER.as_posix()
            what = f"there is no exercise {self.name!r}: name a folder of {folder}"
            raise self.error(what)
        return load(guide, FOLDER / self.name)

    def html(self, view: View) -> list[str]:
        """Show an editor with the start, a place for hints, and the solution, folded."""
        programs, anchor = self.content(view.guide), f"exercise-{self.name}"
        start = escape(programs.start, quote=True)
        opening = (
            f'<div class="exercise"><div class="cell" id="{anchor}" '
            f'data-exercise="{self.name}" data-edition="{view.guide.python_archive_hash}" '
            f'role="group" aria-label="Exercise">'
            f'{COPY}data-clipboard-text="{start}"></button>{LINK.format(anchor)}'
        )
        between = (
            f'{BAR.format("Check")}<p class="hint" role="status"></p></div>'
            '<details class="solution"><summary>A solution</summary>'
        )
        return [
            view.stash(opening),
            *code("python", programs.start.splitlines()),
            view.stash(between),
            *code("python", programs.solution.splitlines()),
            view.stash("</details></div>"),
        ]

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find exercises that no page has, or that can't tell right from wrong."""
        named = {exercise.name for exercise in cls.all(guide)}
        for folder in exercises(guide.root):
            if folder.name not in named:
                yield WeaveError("no page has this exercise", folder)
            try:
                yield from _faults(guide, folder)
            except RequestError as why:
                yield WeaveError(f"cannot be checked: {why}", folder)
            except WeaveError as error:
                yield error


@dataclass(frozen=True)
class Programs:
    """A program that passes the check, and attempts: the reader begins with the first."""

    solution: str
    attempts: list[Any]

    @property
    def start(self) -> str:
        """The program that the reader begins with."""
        return str(self.attempts[0].program)


def exercises(root: Path) -> list[Path]:
    """Return the folder of each exercise, relative to the project."""
    found = root.glob(f"{FOLDER}/*/{CHECK}")
    return sorted(path.parent.relative_to(root) for path in found)


def load(guide: Guide, folder: Path) -> Programs:
    """Read the exercise of a folder."""
    solution, path = guide.read_text(folder / SOLUTION), folder / ATTEMPTS
    # The project's own reader of them, which its checks use, too
    read = import_module(".".join(FOLDER.parts)).read_attempts
    try:
        return Programs(solution, read(guide.read_text(path), solution))
    except ValueError as error:
        raise WeaveError(error.args[0], path, error.args[1]) from None


def _faults(guide: Guide, folder: Path) -> Iterator[WeaveError]:
    """Find a solution that doesn't pass, and attempts that do or get another hint."""
    programs = load(guide, folder)

    def told(program: str) -> str:
        """Return what a reader is told of a program: an error's name, or a hint."""
        question = {"exercise": folder.name, "program": program}
        return str(guide.project_server.request(question))

    if got := told(programs.solution):
        yield WeaveError(f"does not pass the check: {got}", folder / SOLUTION, 1)
    for attempt in programs.attempts:
        if (got := told(attempt.program)) != attempt.hint:
            what = f"gets {got!r}, not the hint that stands here"
            what = what if got else "passes the check, so nothing is wrong with it"
            yield WeaveError(what, folder / ATTEMPTS, attempt.line)
