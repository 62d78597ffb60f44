"""Checks an operation that records tanh and its local gradient."""

import math

from microgpt import Value
from snippets.exercises import Hint, Program, function

POINTS = (0.5, -1.5, 0.0, 3.0, 1000.0)


def check(program: Program) -> None:
    """Compare value and gradient with tanh and its slope at a few points."""
    tanh = function(program, "tanh")
    for point in POINTS:
        x = Value(point)
        try:
            y = tanh(x)
        except OverflowError:
            raise Hint(
                f"At {point:g} an exponential overflows. math.tanh knows how to avoid it; "
                "record one node for the whole function."
            ) from None
        if not isinstance(y, Value):
            raise Hint(
                "Return a Value: a float has forgotten where it came from."
            )
        t = math.tanh(point)
        if not math.isclose(y.data, t, abs_tol=1e-12):
            raise Hint(
                f"At {point:g} the data should be {t:.4f}, not {y.data:.4f}."
            )
        if not y._children:
            raise Hint(
                "The result remembers nothing: give Value its children and their local "
                "gradients, both as tuples."
            )
        try:
            y.backward()
        except TypeError:
            raise Hint(
                "Children and local gradients are tuples. A tuple of one is written with "
                "a comma: (x,)."
            ) from None
        slope = 1 - t * t
        if math.isclose(
            x.grad, 1 - point * point, abs_tol=1e-12
        ) and point not in (0, 1):
            raise Hint(
                "The square is that of the result: the slope is 1 - t * t, with t the "
                "data of the new node, not that of x."
            )
        if not math.isclose(x.grad, slope, abs_tol=1e-9):
            raise Hint(
                f"At {point:g} the slope of tanh is {slope:.4f}, and the gradient of x "
                f"comes out as {x.grad:.4f}. Nudge x and see how far tanh moves."
            )
