"""Exercises: each folder is one, of three files.

`solution.py` is a program that passes the check. `check.py` has a function `check`, which
takes the names that a reader's program defines and raises a `Hint` for what is not right;
where mistakes can be told by what they give, a dictionary has the hint for each.
`attempts.diff` lists programs that don't pass yet: a hint, and below it the edit of the
solution that gets it. The reader begins with the first; the others are usual mistakes.
"""

import math
from typing import Any

Program = dict[str, Any]


class Hint(Exception):
    """What is not right yet, and where to look, in a sentence or two."""


def function(program: Program, name: str) -> Any:
    """Return a function of the reader's program; hint if there is none."""
    found = program.get(name)
    if not callable(found):
        raise Hint(
            f"Keep the name {name}: the check looks for that function."
        )
    return found


def close(
    a: Any, b: Any, rel_tol: float = 1e-9, abs_tol: float = 1e-9
) -> bool:
    """Tell whether numbers, or lists of them, are equal but for rounding."""
    if isinstance(a, list | tuple) and isinstance(b, list):
        pairs = zip(a, b)
        return len(a) == len(b) and all(
            close(x, y, rel_tol, abs_tol) for x, y in pairs
        )
    x, y = (getattr(number, "data", number) for number in (a, b))
    return math.isclose(x, y, rel_tol=rel_tol, abs_tol=abs_tol)
