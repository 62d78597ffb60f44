"""Exercises: what a fence names, and whether its check can tell right from wrong.

An exercise is a folder of `snippets/exercises/`, which says what lies in it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from weave.errors import WeaveError
from weave.page import Fence, Page
from weave.process import Stopped, run_module

FOLDER = Path("snippets", "exercises")


@dataclass(frozen=True)
class Exercise:
    """The program that a reader begins with, and one that passes the check."""

    name: str
    start: str
    solution: str


def read_exercise(root: Path, page: Page, fence: Fence) -> Exercise:
    """Read an `exercise` fence: the name of a folder of exercises."""
    name = "\n".join(fence.body)
    folder = root / FOLDER / name
    if not re.fullmatch(r"[a-z_]+", name) or not (folder / "check.py").is_file():
        message = f"there is no exercise {name!r}: name a folder of {FOLDER.as_posix()}"
        raise page.error(message, fence.line)
    try:
        texts = [
            (folder / file).read_text("utf-8") for file in ("start.py", "solution.py")
        ]
    except OSError as error:
        raise page.error(f"the exercise {name!r}: {error}", fence.line) from None
    return Exercise(name, *texts)


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
        told = run_module("weave.exercises", str(root), within=root, paths=paths)
    except Stopped as stopped:
        return [WeaveError(f"the exercises cannot be checked: {stopped}", FOLDER)]
    found = map(json.loads, told.splitlines())
    return [WeaveError(message, Path(file)) for file, message in found]


def _examine(root: Path, folder: Path) -> list[tuple[Path, str]]:
    """Return the faults of one exercise, each with its file."""
    from live.runner import run

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
