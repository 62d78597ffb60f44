"""Tries the mean loss of a model that has counted each name before."""

from snippets.exercises import Parts, Program

CASES = {f"{count} names": count for count in (10, 1, 100)}


def give(program: Program, case: int) -> Parts:
    """Return the mean loss of so many names."""
    return {"the mean loss": program["cheating"](case)}
