"""The operations of `Value`, and the same ones on plain numbers.

Whatever has to know which operations there are asks this table: the
reader of formulas, and the tests, which compare each gradient with
finite differences.
"""

import math
import operator
from collections.abc import Callable
from typing import NamedTuple


class Operation(NamedTuple):
    """One operation: a method of `Value`, and what it computes.

    `name` is what a graph calls the node that it makes. `plain` is the
    same function of floats. `margin` says how far its operands are from
    where it is not defined, or has no derivative; below 0 they are
    beyond. `symbol` is what is typed for an operator. `constants` are
    examples of a second operand that cannot be a `Value`.
    """

    name: str
    method: str
    plain: Callable[..., float]
    margin: Callable[..., float] = lambda *operands: math.inf
    symbol: str = ""
    constants: tuple[float, ...] = ()

    @property
    def is_function(self) -> bool:
        """Whether it is called by its name, with one operand."""
        return self.method != "sum" and not self.method.startswith("__")


def power_margin(base: float, exponent: float) -> float:
    """A power of 0 or less needs a whole exponent, one of 0 none below 0."""
    if exponent != int(exponent):
        return base
    return math.inf if exponent >= 0 else abs(base)


def total(numbers: list[float]) -> float:
    """Add from left to right, the same in every version of Python."""
    result = 0.0
    for number in numbers:
        result += number
    return result


CONSTANTS = (-1.5, -1.0, 0.5, 2.0, 3.0)

OPERATIONS = (
    Operation("add", "__add__", operator.add, symbol="+"),
    Operation("add", "__sub__", operator.sub, symbol="-"),
    Operation("multiply", "__mul__", operator.mul, symbol="*"),
    Operation(
        "multiply",
        "__truediv__",
        operator.truediv,
        margin=lambda a, b: abs(b),
        symbol="/",
    ),
    Operation(
        "power",
        "__pow__",
        operator.pow,
        margin=power_margin,
        symbol="**",
        constants=(-1.0, 0.0, 0.5, 1.0, 2.0, 3.0),
    ),
    Operation("multiply", "__neg__", operator.neg),
    Operation("add", "sum", total),
    Operation("log", "log", math.log, margin=lambda x: x),
    Operation("exp", "exp", math.exp),
    Operation("relu", "relu", lambda x: max(0.0, x), margin=abs),
    # With a plain number on the left, Python calls one of these
    Operation("add", "__radd__", lambda b, a: a + b, constants=CONSTANTS),
    Operation("add", "__rsub__", lambda b, a: a - b, constants=CONSTANTS),
    Operation(
        "multiply", "__rmul__", lambda b, a: a * b, constants=CONSTANTS
    ),
    Operation(
        "multiply",
        "__rtruediv__",
        lambda b, a: a / b,
        margin=lambda b, a: abs(b),
        constants=CONSTANTS,
    ),
    Operation(
        "to the power",
        "__rpow__",
        lambda b, a: a**b,
        margin=lambda b, a: a,
        constants=(0.5, 2.0, 3.0),
    ),
)
