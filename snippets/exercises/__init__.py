"""Exercises: each folder is one, with what the reader begins with and what checks it.

`start.py` is the program as the page shows it, `solution.py` one that passes. `check.py`
has a function `check`, which takes the names that the reader's program defines and
raises a `Hint` for what is not right. Each file in `mistakes/` is a mistake that readers
make, and its docstring the hint that it must get.
"""

from __future__ import annotations

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
