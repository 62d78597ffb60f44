"""The table below has each operation of `Value`, whose gradient must be the slope."""

import math
import operator
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import pytest

from microgpt.autograd import Value
from microgpt.expression import FUNCTION_NAMES, evaluate
from tests.models import central_difference

NON_OPERATIONS = {"__init__", "__repr__", "backward"}
# Points far enough from the edge of a domain for finite differences
NONZEROS: tuple[float, ...] = (-1.9, -1.2, -0.4, 0.6, 1.3, 1.9)
POSITIVES: tuple[float, ...] = (0.4, 0.9, 1.3, 1.9)
CONSTANTS = (-1.5, -1.0, 0.5, 2.0, 3.0)


class Operation(NamedTuple):
    """A method of Value, the same function of floats, and numbers to try it on.

    `op` is part of the node's name in graphs. The second operand stays a float if
    `second_is_constant`.
    """

    method: str
    op: str
    reference: Callable[..., float]
    operands: Sequence[float] = NONZEROS
    second_operands: Sequence[float] = ()
    second_is_constant: bool = False


OPERATIONS = (
    Operation("__add__", "add", operator.add, second_operands=NONZEROS),
    Operation("__sub__", "add", operator.sub, second_operands=NONZEROS),
    Operation("__mul__", "multiply", operator.mul, second_operands=NONZEROS),
    Operation("__truediv__", "multiply", operator.truediv, second_operands=NONZEROS),
    Operation("__pow__", "power", operator.pow, POSITIVES, CONSTANTS, True),
    Operation("__pow__", "power", operator.pow, NONZEROS, (-1, 0, 1, 2, 3), True),
    Operation("__neg__", "multiply", operator.neg),
    Operation("sum", "add", operator.add, second_operands=NONZEROS),
    Operation("log", "log", math.log, POSITIVES),
    Operation("exp", "exp", math.exp),
    Operation("relu", "relu", lambda x: max(0.0, x)),
    # Python calls one of these if the left operand is a plain number.
    Operation("__radd__", "add", lambda b, a: a + b, NONZEROS, CONSTANTS, True),
    Operation("__rsub__", "add", lambda b, a: a - b, NONZEROS, CONSTANTS, True),
    Operation("__rmul__", "multiply", lambda b, a: a * b, NONZEROS, CONSTANTS, True),
    Operation(
        "__rtruediv__", "multiply", lambda b, a: a / b, NONZEROS, CONSTANTS, True
    ),
    Operation("__rpow__", "to the power", lambda b, a: a**b, NONZEROS, POSITIVES, True),
)


def test_operations_table_lists_every_method_of_value() -> None:
    methods = {name for name, method in vars(Value).items() if callable(method)}
    assert methods - NON_OPERATIONS == {o.method for o in OPERATIONS}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.method)
def test_operation_has_its_result_gradient_and_name(operation: Operation) -> None:
    _, op, reference, operands, second_operands, second_is_constant = operation
    method: Callable[..., Value] = getattr(Value, operation.method)
    points = product(operands, second_operands) if second_operands else zip(operands)
    for point in points:
        leaves = [Value(x) for x in (point[:1] if second_is_constant else point)]
        arguments: list[Any] = [*leaves, *point[len(leaves) :]]
        result = method(arguments) if operation.method == "sum" else method(*arguments)
        result.backward()
        assert result.data == pytest.approx(reference(*point), rel=1e-12)
        assert op in result._op
        for i, leaf in enumerate(leaves):
            along = central_difference(
                lambda x: reference(*point[:i], x, *point[i + 1 :]),  # noqa: B023 (called at once)
                point[i],
            )
            assert leaf.grad == pytest.approx(along, rel=1e-5, abs=1e-7)


def test_every_named_operation_can_be_used_in_expressions() -> None:
    functions = {o.method: o.reference for o in OPERATIONS if o.method[:2] != "__"}
    assert {*FUNCTION_NAMES, "sum"} == functions.keys()
    for name in FUNCTION_NAMES:
        result, _ = evaluate(f"x = 1.5; {name}(x)")
        assert result.data == functions[name](1.5)
