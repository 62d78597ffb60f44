"""Tries a gradient by hand on a few names."""

from snippets.exercises import Program, Results
from snippets.ready import untrained

CASES = {f"“{name}”": name for name in ("ada", "emma", "bo")}


def give(program: Program, case: str) -> Results:
    """Return the gradient of each matrix, and all weights."""
    program["weights"].update(untrained()[2])
    tokens = program["tokenizer"].document(case)
    gradient = program["gradient_by_hand"](tokens)
    parts = {f"the gradient of {m}": gradient[m] for m in gradient}
    return {"the dictionary of weights": program["weights"], **parts}
