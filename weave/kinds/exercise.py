"""Exercises: programs for readers to write, each with a check that gives hints.

An exercise is a folder of `snippets/exercises/`, which says what lies in it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

from weave.errors import WeaveError
from weave.findings import Finding, Results
from weave.guide import Guide
from weave.kinds.kind import BAR, COPY, LINK, Cell, Kind, To, View, code
from weave.process import Stopped, run_module

FOLDER = Path("snippets", "exercises")


class Exercise(Kind):
    """The name of a folder of exercises."""

    language = "exercise"
    plural = "exercises"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return "\n".join(self.fence.body)

    def program(self, root: Path, file: str) -> str:
        """Return the program that a reader begins with, or one that passes."""
        folder = root / FOLDER / self.name
        named = re.fullmatch(r"[a-z_]+", self.name)
        if not named or not (folder / "check.py").is_file():
            raise self.error(
                f"there is no exercise {self.name!r}: name a folder of "
                f"{FOLDER.as_posix()}"
            )
        try:
            return (folder / file).read_text("utf-8")
        except OSError as error:
            raise self.error(f"the exercise {self.name!r}: {error}") from None

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Find an exercise that isn't there."""
        self.program(guide.root, "start.py"), self.program(guide.root, "solution.py")
        return iter(())

    def html(self, view: View) -> list[str]:
        """Show an editor with the start, a place for hints, and the solution, folded."""
        start = self.program(view.guide.root, "start.py")
        solution = self.program(view.guide.root, "solution.py")
        anchor = f"exercise-{self.name}"
        opening = (
            f'<div class="exercise"><div class="cell" id="{anchor}" '
            f'data-exercise="{self.name}" data-edition="{view.edition}">'
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
        start = self.program(guide.root, "start.py")
        yield from ("```python", *start.splitlines(), "```")

    @classmethod
    def counts(cls) -> dict[str, Callable[[Guide], int]]:
        """Count exercises, and the mistakes that their checks know."""
        mistakes = f"{FOLDER}/*/mistakes/*.py"
        return {
            **super().counts(),
            "mistakes": lambda guide: len(list(guide.root.glob(mistakes))),
        }

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find exercises that no page has, or that can't tell right from wrong."""
        named = {exercise.name for exercise in cls.all(guide)}
        for folder in exercises(guide.root):
            if folder.name not in named:
                yield WeaveError("no page has this exercise", folder)
        yield from faults(guide.root)


def exercises(root: Path) -> list[Path]:
    """Return the folder of each exercise, relative to the project."""
    return sorted(
        path.parent.relative_to(root) for path in root.glob(f"{FOLDER}/*/check.py")
    )


def faults(root: Path) -> list[WeaveError]:
    """Return what is wrong with the exercises.

    A start that passes, a solution that does not, a mistake that gets another hint than
    its docstring says, and a hint that no mistake gets are faults.
    """
    paths = [root, root / "web"]
    try:
        told = run_module("weave.kinds.exercise", str(root), within=root, paths=paths)
    except Stopped as stopped:
        return [WeaveError(f"the exercises cannot be checked: {stopped}", FOLDER)]
    found = map(json.loads, told.splitlines())
    return [WeaveError(message, Path(file)) for file, message in found]


def _examine(root: Path, folder: Path) -> list[tuple[Path, str]]:
    """Return the faults of one exercise, each with its file."""
    from runtime.runner import run

    found: list[tuple[Path, str]] = []
    hints: set[str] = set()

    def try_out(file: Path) -> tuple[str, str]:
        """Return what a program of this folder gets: an error's name, or a hint."""
        code = (root / file).read_text("utf-8")
        outcome = run([code], lambda _: None, lambda *_: None, folder.name)
        hints.add(outcome["hint"])
        return outcome["error"], outcome["hint"]

    start = folder / "start.py"
    if not any(try_out(start)):
        found.append((start, "passes the check, so there is nothing to do"))
    solution = folder / "solution.py"
    if any(got := try_out(solution)):
        found.append((solution, f"does not pass the check: {' '.join(got).strip()}"))
    for mistake in sorted((root / folder / "mistakes").glob("*.py")):
        file = mistake.relative_to(root)
        said = ast.get_docstring(ast.parse(mistake.read_text("utf-8"))) or ""
        error, hint = try_out(file)
        if error or hint != " ".join(said.split()):
            found.append((file, f"gets {error or hint!r}, not what its docstring says"))
    check = folder / "check.py"
    for pattern, line in _hints(ast.parse((root / check).read_text("utf-8"))):
        if not any(re.fullmatch(pattern, hint) for hint in hints):
            found.append((check, f"no mistake gets the hint of line {line}"))
    return found


def _hints(tree: ast.Module) -> list[tuple[str, int]]:
    """Return each hint that a check may give, as a pattern, and its line."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("Hint"), args=[ast.Constant(str(text))]):
                found.append((re.escape(text), node.lineno))
            case ast.Call(func=ast.Name("Hint"), args=[ast.JoinedStr(values)]):
                parts = [
                    re.escape(str(part.value))
                    if isinstance(part, ast.Constant)
                    else ".+"
                    for part in values
                ]
                found.append(("".join(parts), node.lineno))
            case ast.Call(func=ast.Name("Hint")):
                raise ValueError(f"line {node.lineno}: write a hint as a text")
    return found


if __name__ == "__main__":
    project = Path(sys.argv[1]).resolve()  # a run begins in a folder of its own
    for exercise in exercises(project):
        for file, message in _examine(project, exercise):
            print(json.dumps([file.as_posix(), message]))
