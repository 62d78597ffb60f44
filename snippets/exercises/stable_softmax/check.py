"""Check softmax on small logits, then on large ones."""

from snippets.exercises import Namespace, Results

LOGITS = [
    [1.0, 2.0, 3.0],
    [0.5, -0.5],
    [0.0, 0.0, 0.0, 0.0],
    [-3.0, -1.0],
    [1000.0, 999.0, 998.0],
    [-1000.0, -1001.0],
    [1000.0, -1000.0, 0.0],
]
CASES = {f"the logits {logits}": logits for logits in LOGITS}


def run_case(namespace: Namespace, case: list[float]) -> Results:
    """Return the probabilities, and the caller's logits afterwards."""
    logits = list(case)
    probabilities = list(namespace["softmax"](logits))
    return {
        "the caller's list": logits,
        "the list of probabilities": probabilities,
    }
