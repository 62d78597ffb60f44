"""Checks a `backward` on graphs with and without a node that is used twice."""

from collections.abc import Callable

from microgpt import Value
from snippets.exercises import Hint, Program, close, function


def check(program: Program) -> None:
    """Compare with the package's `backward`, from the plainest graph up."""
    backward = function(program, "backward")
    if not agree(backward, lambda a, b: a * b):
        raise Hint(
            "Not even a * b comes out right: the output's own gradient is 1, and each "
            "child gets its local gradient times the gradient of the node."
        )
    if not agree(backward, lambda a, b: (a * b + 1) * 3):
        raise Hint(
            "A chain comes out wrong: a node must be finished before it passes anything "
            "on, so the walk begins at the output."
        )
    if not agree(backward, lambda a, b: a * (a + b)):
        raise Hint(
            "Where no value is used twice, all gradients are right. In a * (a + b), a is "
            "used twice, and one of the two contributions is lost."
        )
    if not agree(backward, square_of_sum):
        raise Hint(
            "A computed node that is used twice passes on the wrong amount: it must have "
            "gathered all of its gradient before it passes any on."
        )


def square_of_sum(a: Value, b: Value) -> Value:
    """Return (a + b)², in which the sum is one node."""
    c = a + b
    return c * c


def agree(
    backward: Callable[[Value], object],
    build: Callable[[Value, Value], Value],
) -> bool:
    """Tell whether both inputs of a graph get the gradients that they should."""
    own, true = [Value(2.0), Value(3.0)], [Value(2.0), Value(3.0)]
    backward(build(*own))
    build(*true).backward()
    return close([o.grad for o in own], [t.grad for t in true])
