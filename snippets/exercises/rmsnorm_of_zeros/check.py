"""Check RMSNorm on ordinary vectors, then on short ones."""

from microgpt import Value
from snippets.exercises import Namespace, Results

ORDINARY = [[3.0, -1.0, 2.0, 0.0], [0.5, 0.5], [-40.0, 30.0, 0.0]]
SHORT = [[0.0, 0.0, 0.0], [1e-200, -1e-200], [1e-9, 2e-9, 0.0]]
CASES = {f"{vector}": vector for vector in ORDINARY + SHORT}


def run_case(namespace: Namespace, case: list[float]) -> Results:
    """Return the result, and the gradient of its first number.

    Both are rounded: the number added below the root may differ.
    """
    x = [Value(number) for number in case]
    result = namespace["rmsnorm"](x)
    parts = {"the result": [round(y.data, 2) for y in result]}
    if case in ORDINARY:
        result[0].backward()
        parts["the gradient of x"] = [round(xi.grad, 2) for xi in x]
    return parts
