"""Check gradients that were worked out by hand, by nudging."""

import math
from collections.abc import Callable

from snippets.exercises import Namespace, Results

A, B, NUDGE = 2.0, 3.0, 1e-6
# How e follows from each node: c = a * b, d = c + a, e = d * b
E_OF_NODE: dict[str, Callable[[float], float]] = {
    "e": lambda e: e,
    "d": lambda d: d * B,
    "c": lambda c: (c + A) * B,
    "b": lambda b: (A * b + A) * b,
    "a": lambda a: (a * B + a) * B,
}
CASES = {name: name for name in E_OF_NODE}
# Slips that have a hint: a factor not swapped, no chain rule, a single path
SLIPS = {"d": {8}, "c": {1}, "b": {6, 8}, "a": {3, 9}}


def run_case(namespace: Namespace, case: str) -> Results:
    """Return whether a nudge confirms a gradient; if not, a known slip."""
    claimed, node = (
        float(namespace["gradients"]()[case]),
        E_OF_NODE[case],
    )
    at = {"e": 24.0, "d": 8.0, "c": 6.0, "b": B, "a": A}[case]
    measured = (node(at + NUDGE) - node(at - NUDGE)) / (2 * NUDGE)
    return {
        "its agreement with a nudge": math.isclose(
            claimed, measured, rel_tol=1e-6
        ),
        "slip": claimed if claimed in SLIPS.get(case, ()) else None,
    }
