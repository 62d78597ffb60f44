"""Exercises: each folder is one, of three files.

`solution.py` is a program that does what is asked for. `attempts.diff`
lists wrong programs, each as a hint and an edit of the solution. The
reader begins with the first; the others are common mistakes. `check.py`
has CASES, inputs by name, and `run_case`, which returns the results of
a program for one of them.

A program is right if its results equal the solution's in each case. If
they equal those of an attempt, the reader gets its hint.
"""

import ast
import io
import math
import re
from collections.abc import Mapping
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from microgpt import Value

Results = Mapping[str, Any]  # by their names in hints
# A hint, and below it an edit of the solution
ATTEMPT_PATTERN = re.compile(
    r"((?:[^ +@\n-].*\n)+)((?:[ +@-].*\n)+)(?:\n+|\Z)"
)


class MissingFunctionError(Exception):
    """A program lacks a function; the message is a hint."""


class Namespace(dict[str, Any]):
    """What a program defines, by name."""

    def __missing__(self, name: str) -> Any:
        raise MissingFunctionError(
            f"Keep the name {name}: the check looks for that function."
        )


class Attempt(NamedTuple):
    """A wrong program, its hint, and its line in `attempts.diff`."""

    line: int
    hint: str
    program: str


def parse_attempts(text: str, solution: str) -> list[Attempt]:
    """Parse `attempts.diff`: hints, each above an edit of the solution.

    Raises:
        ValueError: With a message, and the number of the line at fault.
    """
    attempts: list[Attempt] = []
    end = 0
    while end < len(text) or not attempts:
        line = text.count("\n", 0, end) + 1
        if (match := ATTEMPT_PATTERN.match(text, end)) is None:
            raise ValueError(
                "expected a hint, and below it lines with '-', '+' or a space",
                line,
            )
        hint = " ".join(match[1].split())
        program = apply_edit(solution, match[2], line)
        attempts.append(Attempt(line, hint, program))
        end = match.end()
    return attempts


def apply_edit(solution: str, edit: str, line: int) -> str:
    """Return the solution after an edit, which begins at `line`.

    Raises:
        ValueError: With a message, and the number of the line at fault.
    """
    program = f"\n{solution}"
    for change in re.split("^@@\n", edit, flags=re.MULTILINE):
        lines = change.splitlines(keepends=True)
        old = "\n" + "".join(x[1:] for x in lines if x[0] != "+")
        new = "\n" + "".join(x[1:] for x in lines if x[0] != "-")
        if (count := program.count(old)) != 1 or old == "\n":
            raise ValueError(
                f"the lines with '-' or a space, from {lines[0]!r} on, "
                f"stand {count} times in solution.py, not once: "
                "copy some from there, or more of them",
                line,
            )
        program = program.replace(old, new)
    return program[1:]


def find_hint(exercise: str, namespace: dict[str, Any]) -> str:
    """Return the hint for a reader's program; "" if it is right.

    Raises:
        Exception: The program's own, if no attempt fails with it.
    """
    check = import_module(f"{__name__}.{exercise}.check")
    folder = Path(__file__).parent / exercise
    solution, attempts = (
        (folder / file).read_text(encoding="utf-8")
        for file in ("solution.py", "attempts.diff")
    )
    correct, results_by_case = run_definitions(solution), []
    for label, case in check.CASES.items():
        expected = try_case(check, correct, case)
        try:
            results = try_case(check, Namespace(namespace), case)
        except MissingFunctionError as error:
            return str(error)
        results_by_case.append((case, results))
        if is_equal(results, expected):
            continue
        for attempt in parse_attempts(attempts, solution):
            other = run_definitions(attempt.program)
            if all(
                is_equal(try_case(check, other, c), r)
                for c, r in results_by_case
            ):
                return attempt.hint
        if "error" in results:
            raise results["error"]
        return describe_difference(label, results, expected)
    return ""


def run_definitions(program: str) -> Namespace:
    """Run a program up to its last function; return its namespace."""
    body = ast.parse(program).body
    while not isinstance(body[-1], ast.FunctionDef):
        del body[-1]
    names: dict[str, Any] = {}
    exec(compile(ast.Module(body, []), "attempt", "exec"), names)  # noqa: S102
    return Namespace(names)


def try_case(check: Any, namespace: Namespace, case: Any) -> Results:
    """Return a program's results for a case, or its error."""
    try:
        with redirect_stdout(io.StringIO()):
            return dict(check.run_case(namespace, case))
    except MissingFunctionError:
        raise
    except Exception as error:  # noqa: BLE001 (a reader's error)
        return {"error": error}


def is_equal(a: Any, b: Any) -> bool:
    """Return whether two results are equal up to rounding."""
    match a, b:
        case {}, {}:
            return a.keys() == b.keys() and all(
                is_equal(a[x], b[x]) for x in a
            )
        case [*_], [*_]:
            return len(a) == len(b) and all(map(is_equal, a, b))
        case Value(), Value():
            return is_equal(a.data, b.data)
        case Exception(), Exception():
            return repr(a) == repr(b)
        case ((int() | float()), (int() | float())):
            return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-12)
    return bool(a == b)


def describe_difference(
    label: str, results: Results, expected: Results
) -> str:
    """Describe the first result that differs, in a sentence."""
    part = next(
        x for x in expected if not is_equal(results.get(x), expected[x])
    )
    a, b = map(format_value, (expected[part], results.get(part)))
    if max(len(a), len(b)) > 80:
        return f"For {label}, {part} is not right."
    return f"For {label}, {part} should be {a}, not {b}."


def format_value(x: Any) -> str:
    """Format numbers, and lists of them, with four digits."""
    match x:
        case [*_]:
            return f"[{', '.join(map(format_value, x))}]"
        case Value():
            return format_value(x.data)
        case float():
            return f"{x:.4g}"
    return repr(x)
