"""Exercises: programs for readers to write, each with a check that gives hints.

An exercise is a folder of three files; `snippets/exercises/__init__.py` says what is in
each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from weave.errors import WeaveError
from weave.findings import Finding
from weave.guide import Guide
from weave.kinds.kind import BAR, COPY, LINK, Cell, Kind, To, View, code
from weave.process import Refused
from weave.source import invalid_named

FOLDER = Path("snippets", "exercises")
CHECK, SOLUTION, ATTEMPTS = "check.py", "solution.py", "attempts.diff"
# A hint, and below it the edit of the solution that gets it
ATTEMPT = re.compile(r"((?:[^ +@\n-].*\n)+)((?:[ +@-].*\n)+)(?:\n+|\Z)")


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
    attempts: list[Attempt]

    @property
    def start(self) -> str:
        """The program that the reader begins with."""
        return self.attempts[0].program

    @property
    def mistakes(self) -> list[Attempt]:
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


def read_attempts(path: Path, solution: str, text: str) -> list[Attempt]:
    """Read paragraphs of a hint and, below it, an edit of the solution."""
    found: list[Attempt] = []
    end = 0
    while end < len(text) or not found:
        line = text.count("\n", 0, end) + 1
        if (match := ATTEMPT.match(text, end)) is None:
            what = "an attempt is a hint, and below it lines with '-', '+' or a space"
            raise WeaveError(what, path, line)
        try:
            program = edited(solution, match[2])
        except ValueError as error:
            raise WeaveError(str(error), path, line) from None
        found.append(Attempt(line, " ".join(match[1].split()), program))
        end = match.end()
    return found


def edited(solution: str, edit: str) -> str:
    """Return the solution after an edit; `@@` divides changes of different places."""
    program = f"\n{solution}"
    for change in re.split("^@@\n", edit, flags=re.MULTILINE):
        lines = change.splitlines(keepends=True)
        old = "\n" + "".join(line[1:] for line in lines if line[0] != "+")
        new = "\n" + "".join(line[1:] for line in lines if line[0] != "-")
        if (times := program.count(old)) != 1 or old == "\n":
            raise ValueError(
                f"the lines with '-' or a space, from {lines[0]!r} on, stand {times} "
                f"times in {SOLUTION}, not once: copy some from there, or more of them"
            )
        program = program.replace(old, new)
    return program[1:]


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
    for line, pattern in _hints(guide.text(folder / CHECK), folder / CHECK):
        if not any(re.fullmatch(pattern, hint) for hint in hints.values()):
            yield WeaveError("no attempt gets this hint", folder / CHECK, line)


def _hints(code: str, path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and pattern of each hint that a check may give.

    A hint is what `Hint` is given, or a key of a dictionary of mistakes.
    """
    with invalid_named(path):
        nodes = list(ast.walk(ast.parse(code)))
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name("Hint"), args=texts) | ast.Dict(keys=texts):
                for text in texts:
                    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                    said = [getattr(part, "value", None) for part in parts]
                    yield (
                        node.lineno,
                        "".join(
                            re.escape(s) if isinstance(s, str) else ".+" for s in said
                        ),
                    )
