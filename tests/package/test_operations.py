"""Each operation of `Value` is in the table below, and its gradient is the slope."""

import math
import operator
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import pytest

from microgpt.autograd import Value
from microgpt.expression import FUNCTIONS, evaluate
from tests.models import central_difference

OTHER_METHODS = {"__init__", "__repr__", "backward"}
# Nearer to the edge of a domain, finite differences say little
APART = (-1.9, -1.2, -0.4, 0.6, 1.3, 1.9)
ABOVE = (0.4, 0.9, 1.3, 1.9)
CONSTANTS = (-1.5, -1.0, 0.5, 2.0, 3.0)


class Operation(NamedTuple):
    """A method, the same function of floats, and numbers to try as its operands.

    `op` is part of what a graph calls the node. An operand that is `constant` remains
    a float.
    """

    method: str
    op: str
    plain: Callable[..., float]
    operands: Sequence[float] = APART
    others: Sequence[float] = ()
    constant: bool = False


OPERATIONS = (
    Operation("__add__", "add", operator.add, others=APART),
    Operation("__sub__", "add", operator.sub, others=APART),
    Operation("__mul__", "multiply", operator.mul, others=APART),
    Operation("__truediv__", "multiply", operator.truediv, others=APART),
    Operation("__pow__", "power", operator.pow, ABOVE, CONSTANTS, True),
    Operation("__pow__", "power", operator.pow, APART, (-1, 0, 1, 2, 3), True),
    Operation("__neg__", "multiply", operator.neg),
    Operation("sum", "add", operator.add, others=APART),
    Operation("log", "log", math.log, ABOVE),
    Operation("exp", "exp", math.exp),
    Operation("relu", "relu", lambda x: max(0.0, x)),
    # With a plain number on the left, Python calls one of these
    Operation("__radd__", "add", lambda b, a: a + b, APART, CONSTANTS, True),
    Operation("__rsub__", "add", lambda b, a: a - b, APART, CONSTANTS, True),
    Operation("__rmul__", "multiply", lambda b, a: a * b, APART, CONSTANTS, True),
    Operation("__rtruediv__", "multiply", lambda b, a: a / b, APART, CONSTANTS, True),
    Operation("__rpow__", "to the power", lambda b, a: a**b, APART, ABOVE, True),
)


def test_operations_table_lists_every_method_of_value() -> None:
    methods = {name for name, method in vars(Value).items() if callable(method)}
    assert methods - OTHER_METHODS == {o.method for o in OPERATIONS}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.method)
def test_value_operation_has_the_expected_result_gradient_and_name(
    operation: Operation,
) -> None:
    _, op, plain, operands, others, constant = operation
    method: Callable[..., Value] = getattr(Value, operation.method)
    for point in product(operands, others) if others else zip(operands):
        leaves = [Value(x) for x in (point[:1] if constant else point)]
        given: list[Any] = [*leaves, *point[len(leaves) :]]
        result = method(given) if operation.method == "sum" else method(*given)
        result.backward()
        assert result.data == pytest.approx(plain(*point), rel=1e-12)
        assert op in result._op
        for i, leaf in enumerate(leaves):
            along = central_difference(
                lambda x: plain(*point[:i], x, *point[i + 1 :]),  # noqa: B023 (called at once)
                point[i],
            )
            assert leaf.grad == pytest.approx(along, rel=1e-5, abs=1e-7)


def test_every_named_operation_can_be_used_in_expressions() -> None:
    named = {o.method: o.plain for o in OPERATIONS if not o.method.startswith("__")}
    assert {*FUNCTIONS, "sum"} == named.keys()
    for name in FUNCTIONS:
        result, _ = evaluate(f"x = 1.5; {name}(x)")
        assert result.data == named[name](1.5)
