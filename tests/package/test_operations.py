"""Each operation of `Value` is in the table, and its gradient is the slope."""

import inspect
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from microgpt.autograd import Value
from microgpt.cli import operations
from microgpt.cli.expression import FUNCTIONS, evaluate
from microgpt.cli.operations import OPERATIONS, Operation
from tests.models import slope

OTHER_METHODS = {"__init__", "__repr__", "backward"}
ROOM = 0.3  # nearer to the edge of a domain, finite differences say little


def operations_of(kind: type) -> set[str]:
    """Return the methods of a class that compute a new value."""
    return {name for name, m in vars(kind).items() if callable(m)} - OTHER_METHODS


def not_in_the_table() -> set[str]:
    return operations_of(Value) ^ {o.method for o in operations.OPERATIONS}


def arity(operation: Operation) -> int:
    return len(inspect.signature(getattr(Value, operation.method)).parameters)


def on_values(operation: Operation, *operands: Any) -> Value:
    result = getattr(Value, operation.method)(*operands)
    assert isinstance(result, Value)
    return result


def slope_along(f: Callable[..., float], point: Sequence[float], i: int) -> float:
    """Return the derivative along one coordinate, by finite differences."""
    return slope(lambda x: f(*point[:i], x, *point[i + 1 :]), point[i])


def operands(operation: Operation, rng: random.Random) -> tuple[list[float], int]:
    """Draw a point, and say how many of its coordinates may be a `Value`."""
    if operation.method == "sum":
        return [rng.uniform(-2, 2) for _ in range(4)], 4
    point = [rng.uniform(-2, 2) for _ in range(arity(operation))]
    if not operation.constants:
        return point, len(point)
    return [point[0], rng.choice(operation.constants)], 1


def wrong_operations() -> list[str]:
    """Return the methods whose result or gradient is not that of the plain function."""
    rng = random.Random(0)
    wrong = set()
    for operation in operations.OPERATIONS:
        many = operation.method == "sum"
        compared = 0
        for _ in range(100):
            point, free = operands(operation, rng)
            if not many and operation.margin(*point) < ROOM:
                continue
            leaves = [Value(x) for x in point[:free]]
            given_ = [*leaves, *point[free:]]
            result = on_values(operation, *([given_] if many else given_))
            result.backward()
            plain = (lambda *x, f=operation.plain: f(x)) if many else operation.plain
            slopes = [slope_along(plain, point, i) for i in range(free)]
            compared += 1
            if (
                result.data != pytest.approx(plain(*point), rel=1e-12)
                or [v.grad for v in leaves] != pytest.approx(slopes, rel=1e-5, abs=1e-7)
                or (
                    not result._op.endswith(operation.name)
                    and not result._op.startswith(operation.name)
                )
            ):
                wrong.add(operation.method)
        assert compared > 10, operation.method
    return sorted(wrong)


def test_every_operation_of_value_is_in_the_table_and_nothing_else() -> None:
    assert not_in_the_table() == set()


def test_each_operation_gives_the_result_the_slopes_and_the_name_of_the_table() -> None:
    assert wrong_operations() == []


def squash(self: Value) -> Value:
    """The hyperbolic tangent, with a slope that a contributor might believe in."""
    result = math.tanh(self.data)
    return Value(result, (self,), (1 - result,), "squash")


def right_squash(self: Value) -> Value:
    result = math.tanh(self.data)
    return Value(result, (self,), (1 - result**2,), "squash")


def test_a_new_operation_with_a_wrong_gradient_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Value, "squash", squash, raising=False)
    assert not_in_the_table() == {"squash"}
    row = Operation("squash", "squash", math.tanh)
    monkeypatch.setattr(operations, "OPERATIONS", (*OPERATIONS, row))
    assert wrong_operations() == ["squash"]

    monkeypatch.setattr(Value, "squash", right_squash)
    assert not_in_the_table() == set()
    assert wrong_operations() == []


def test_what_the_table_calls_a_function_can_be_typed() -> None:
    assert {"log", "exp", "relu"} <= set(FUNCTIONS)
    for operation in OPERATIONS:
        if operation.is_function:
            result, _ = evaluate(f"x = 1.5; {operation.method}(x)")
            assert result.data == operation.plain(1.5)
