"""Check an attention that also sees the letters that come next."""

import random

from microgpt.nn import gaussian_matrix
from snippets.exercises import Namespace, Results

CASES = {"a name of four letters": 4}


def run_case(namespace: Namespace, case: int) -> Results:
    """Return the vector that each letter gathers."""
    rng = random.Random(7)
    rows = [gaussian_matrix(case, n, 1.0, rng) for n in (2, 2, 3)]
    return {"what is gathered": namespace["gather"](*rows)}
