"""Tries a list of the pairs that no name has shown so far."""

from snippets.exercises import Program, Results

CASES = {f"“{n}”": n for n in ("maria", "emma", "ben", "una", "paul")}


def give(program: Program, case: str) -> Results:
    """Return the pairs of a name."""
    return {"the list": list(program["impossible_pairs"](case))}
