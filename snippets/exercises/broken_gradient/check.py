"""Check a gradient computed by hand on a few names."""

from snippets.exercises import Namespace, Results
from snippets.ready import step1_setup

CASES = {f"“{name}”": name for name in ("ada", "emma", "bo")}


def run_case(namespace: Namespace, case: str) -> Results:
    """Return the gradient of each matrix, and all weights."""
    namespace["weights"].update(step1_setup()[2])
    tokens = namespace["tokenizer"].document(case)
    gradient = namespace["gradient_by_hand"](tokens)
    parts = {f"the gradient of {m}": gradient[m] for m in gradient}
    return {"the dictionary of weights": namespace["weights"], **parts}
