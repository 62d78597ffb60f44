"""Check a list of the pairs that no name has shown so far."""

from snippets.exercises import Namespace, Results

CASES = {f"“{n}”": n for n in ("maria", "emma", "ben", "una", "paul")}


def run_case(namespace: Namespace, case: str) -> Results:
    """Return the pairs of a name."""
    return {"the list": list(namespace["impossible_pairs"](case))}
