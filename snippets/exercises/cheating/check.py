"""Check the mean loss of names that are counted before scored."""

from snippets.exercises import Namespace, Results

CASES = {f"{count} names": count for count in (10, 1, 100)}


def run_case(namespace: Namespace, case: int) -> Results:
    """Return the mean loss of the first `case` names."""
    return {"the mean loss": namespace["cheating"](case)}
