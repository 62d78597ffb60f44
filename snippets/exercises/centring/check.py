"""Tries the way back of an operation that subtracts a row's mean."""

from snippets.exercises import Program, Results

ROWS = [
    [0.5, -2.0, 3.0],
    [1.0],
    [2.0, 0.25],
    [1.0, -1.0, 4.0, 0.0, -0.5],
]
CASES = {f"the derivatives {row}": row for row in ROWS}


def give(program: Program, case: list[float]) -> Results:
    """Return the derivatives, and what has become of those given."""
    slopes = list(case)
    result = program["backward"](slopes)
    return {"the list that was given": slopes, "the result": result}
