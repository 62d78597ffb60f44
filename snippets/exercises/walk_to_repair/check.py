"""Check a `backward` on graphs, the simplest first."""

from collections.abc import Callable

from microgpt import Value
from snippets.exercises import Namespace, Results

Graph = Callable[[Value, Value], Value]


def square_of_sum(a: Value, b: Value) -> Value:
    """Return (a + b)², in which the sum is one node."""
    c = a + b
    return c * c


CASES: dict[str, Graph] = {
    "a * b": lambda a, b: a * b,
    "(a * b + 1) * 3": lambda a, b: (a * b + 1) * 3,
    "a * (a + b)": lambda a, b: a * (a + b),
    "the square of c = a + b": square_of_sum,
}


def run_case(namespace: Namespace, case: Graph) -> Results:
    """Return the gradients of both inputs of a graph."""
    a, b = Value(2.0), Value(3.0)
    namespace["backward"](case(a, b))
    return {"the gradient of a": a.grad, "the gradient of b": b.grad}
