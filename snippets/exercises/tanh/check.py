"""Check an operation that records tanh and its local gradient."""

from microgpt import Value
from snippets.exercises import Namespace, Results

CASES = {f"{x:g}": x for x in (0.5, -1.5, 0.0, 3.0, 1000.0)}


def run_case(namespace: Namespace, case: float) -> Results:
    """Return the result, whether it has children, and its slope."""
    x = Value(case)
    y = namespace["tanh"](x)
    y.backward()
    return {
        "the data": y.data,
        "whether there are children": y._children != (),
        "the gradient of x": x.grad,
    }
