"""Exercises: programs for readers to write, each with a check that gives hints.

An exercise is a folder of three files; `snippets/exercises/__init__.py` says what is in
each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import groupby
from pathlib import Path

from weave.errors import WeaveError
from weave.findings import Finding
from weave.guide import Guide
from weave.kinds.kind import BAR, COPY, LINK, Cell, Kind, To, View, code
from weave.process import Refused
from weave.source import invalid_named

FOLDER = Path("snippets", "exercises")
CHECK, SOLUTION, ATTEMPTS = "check.py", "solution.py", "attempts.diff"
EDIT = " +-@"  # the first characters of an edit's lines; those of a hint are others


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
        programs = self.content(view.guide)
        start, solution = programs.start, programs.solution
        anchor = f"exercise-{self.name}"
        opening = (
            f'<div class="exercise"><div class="cell" id="{anchor}" '
            f'data-exercise="{self.name}" data-edition="{view.guide.edition}" '
            f'role="group" aria-label="Exercise">'
            f'{COPY}data-clipboard-text="{escape(start, quote=True)}"></button>'
            f"{LINK.format(anchor)}"
        )
        between = (
            f'{BAR.format("Check")}<p class="hint" role="status"></p></div>'
            '<details class="solution"><summary>A solution</summary>'
        )
        return [
            view.stash(opening),
            *code("python", start.splitlines()),
            view.stash(between),
            *code("python", solution.splitlines()),
            view.stash("</details></div>"),
        ]

    def cells(self, guide: Guide, to: To) -> Iterator[str | Cell]:
        """Yield the start, and where it is checked."""
        here = to(self.page.path)
        page = f"[the page]({here})" if here else "the page"
        yield from (f"Begin with this, and let {page} check what you write:", "")
        start = self.content(guide).start
        yield from ("```python", *start.splitlines(), "```")

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find exercises that no page has, or that can't tell right from wrong."""
        named = {exercise.name for exercise in cls.all(guide)}
        for folder in exercises(guide.root):
            if folder.name not in named:
                yield WeaveError("no page has this exercise", folder)
        yield from faults(guide)


@dataclass(frozen=True)
class Attempt:
    """A program that does not pass the check yet, and the hint that it gets."""

    line: int
    hint: str
    program: str


@dataclass(frozen=True)
class Programs:
    """A program that passes the check, and attempts: the reader begins with the first."""

    solution: str
    attempts: tuple[Attempt, ...]

    @property
    def start(self) -> str:
        """The program that the reader begins with."""
        return self.attempts[0].program

    @property
    def mistakes(self) -> tuple[Attempt, ...]:
        """What readers get wrong on the way."""
        return self.attempts[1:]


def exercises(root: Path) -> list[Path]:
    """Return the folder of each exercise, relative to the project."""
    found = root.glob(f"{FOLDER}/*/{CHECK}")
    return sorted(path.parent.relative_to(root) for path in found)


def load(guide: Guide, folder: Path) -> Programs:
    """Read the exercise of a folder."""
    solution, path = guide.text(folder / SOLUTION), folder / ATTEMPTS
    return Programs(solution, read_attempts(path, solution, guide.text(path)))


@lru_cache
def read_attempts(path: Path, solution: str, text: str) -> tuple[Attempt, ...]:
    """Read paragraphs of a hint and, below it, an edit of the solution."""
    found = []
    numbered = enumerate(text.splitlines(), 1)
    for blank, lines in groupby(numbered, lambda line: not line[1]):
        if blank:
            continue
        numbers, paragraph = zip(*lines)
        hint = [line for line in paragraph if line[0] not in EDIT]
        edit = paragraph[len(hint) :]
        try:
            if not hint or not edit or any(line[0] not in EDIT for line in edit):
                raise ValueError("an attempt is a hint, below it lines with - and +")
            program = edited(solution, edit)
        except ValueError as error:
            raise WeaveError(str(error), path, numbers[0]) from None
        found.append(Attempt(numbers[0], " ".join(hint), program))
    if not found:
        what = "the first attempt, which the reader begins with, is missing"
        raise WeaveError(what, path)
    return tuple(found)


def edited(solution: str, edit: Iterable[str]) -> str:
    """Return the solution after an edit; `@@` divides changes of different places."""
    program = solution.splitlines()
    for apart, group in groupby(edit, lambda line: line[0] == "@"):
        if apart:
            continue
        change = list(group)
        old = [line[1:] for line in change if line[0] != "+"]
        new = [line[1:] for line in change if line[0] != "-"]
        starts = range(len(program))
        places = [at for at in starts if program[at : at + len(old)] == old]
        if not old:
            raise ValueError(
                f"{change[0]!r} needs a neighbour, a line of {SOLUTION} with a space "
                "before it, to say where it belongs"
            )
        if len(places) != 1:
            more = "add the line above or below" if places else "copy them from there"
            raise ValueError(
                f"the lines with - or a space, from {change[0]!r} on, stand "
                f"{len(places)} times in {SOLUTION}, not once: {more}"
            )
        program[places[0] : places[0] + len(old)] = new
    return "\n".join(program) + "\n"


def faults(guide: Guide) -> Iterator[WeaveError]:
    """Yield what is wrong with the exercises.

    An attempt that passes or gets another hint, a solution that does not pass, and a
    hint that no attempt gets are faults.
    """
    for folder in exercises(guide.root):
        try:
            yield from _faults(guide, folder)
        except Refused as why:
            yield WeaveError(f"cannot be checked: {why}", folder)
        except WeaveError as error:
            yield error


def _faults(guide: Guide, folder: Path) -> Iterator[WeaveError]:
    programs = load(guide, folder)

    def told(program: str) -> str:
        """Return what a reader is told of a program: an error's name, or a hint."""
        question = {"exercise": folder.name, "program": program}
        return str(guide.answers.ask(question).result())

    if got := told(programs.solution):
        yield WeaveError(f"does not pass the check: {got}", folder / SOLUTION, 1)
    hints = {attempt: told(attempt.program) for attempt in programs.attempts}
    for attempt, got in hints.items():
        if got != attempt.hint:
            what = f"gets {got!r}, not the hint that stands here"
            what = what if got else "passes the check, so nothing is wrong with it"
            yield WeaveError(what, folder / ATTEMPTS, attempt.line)
    for pattern, error in _hints(guide, folder / CHECK):
        if not any(re.fullmatch(pattern, hint) for hint in hints.values()):
            yield error


def _hints(guide: Guide, check: Path) -> Iterator[tuple[str, WeaveError]]:
    """Yield each hint that a check may give, as a pattern, and what if none gets it.

    A hint is what `Hint` is given, or a key of a dictionary of mistakes.
    """
    with invalid_named(check):
        tree = ast.parse(guide.text(check))
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("Hint"), args=[ast.Name("hint")]):
                continue  # one of the keys
            case ast.Call(func=ast.Name("Hint"), args=texts) | ast.Dict(keys=texts):
                error = WeaveError("no attempt gets this hint", check, node.lineno)
                for text in texts:
                    yield _pattern(check, text), error


def _pattern(check: Path, text: ast.expr | None) -> str:
    match text:
        case ast.Constant(str(said)):
            return re.escape(said)
        case ast.JoinedStr(parts):
            return "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                for part in parts
            )
    raise WeaveError("write the hint as a text", check, getattr(text, "lineno", 0))
