"""Tries the mean loss of a model that has counted each name before."""

from snippets.exercises import Program, Results

CASES = {f"{count} names": count for count in (10, 1, 100)}


def give(program: Program, case: int) -> Results:
    """Return the mean loss of so many names."""
    return {"the mean loss": program["cheating"](case)}
