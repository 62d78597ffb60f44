"""Check the backward pass of subtracting a row's mean."""

from snippets.exercises import Namespace, Results

DERIVATIVES = [
    [0.5, -2.0, 3.0],
    [1.0],
    [2.0, 0.25],
    [1.0, -1.0, 4.0, 0.0, -0.5],
]
CASES = {f"the derivatives {row}": row for row in DERIVATIVES}


def run_case(namespace: Namespace, case: list[float]) -> Results:
    """Return the result, and the argument after the call."""
    slopes = list(case)
    result = namespace["backward"](slopes)
    return {"the list that was given": slopes, "the result": result}
