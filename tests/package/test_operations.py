"""Each operation of `Value` is in the table, and its gradient is the slope."""

import inspect
import random

import pytest

from microgpt.autograd import Value
from microgpt.cli.expression import FUNCTIONS, evaluate
from microgpt.cli.operations import OPERATIONS, Operation
from tests.models import slope

OTHER_METHODS = {"__init__", "__repr__", "backward"}
ROOM = 0.3  # nearer to the edge of a domain, finite differences say little


def test_every_operation_of_value_is_in_the_table_and_nothing_else() -> None:
    methods = {name for name, method in vars(Value).items() if callable(method)}
    assert methods - OTHER_METHODS == {o.method for o in OPERATIONS}


def operands(operation: Operation, rng: random.Random) -> tuple[list[float], int]:
    """Draw a point, and say how many of its coordinates may be a `Value`."""
    method = getattr(Value, operation.method)
    several = operation.method == "sum"
    count = 4 if several else len(inspect.signature(method).parameters)
    point = [rng.uniform(-2, 2) for _ in range(count)]
    if not operation.constants:
        return point, count
    return [point[0], rng.choice(operation.constants)], 1


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.method)
def test_each_operation_gives_the_result_the_slopes_and_the_name_of_the_table(
    operation: Operation,
) -> None:
    rng, compared = random.Random(0), 0
    several = operation.method == "sum"
    for _ in range(100):
        point, free = operands(operation, rng)
        if not several and operation.margin(*point) < ROOM:
            continue
        compared += 1

        def plain(*x: float) -> float:
            return operation.plain(x) if several else operation.plain(*x)

        leaves = [Value(x) for x in point[:free]]
        given = [*leaves, *point[free:]]
        method = getattr(Value, operation.method)
        result = method(given) if several else method(*given)
        result.backward()
        assert result.data == pytest.approx(plain(*point), rel=1e-12)
        for i, leaf in enumerate(leaves):
            along = slope(lambda x: plain(*point[:i], x, *point[i + 1 :]), point[i])  # noqa: B023 (called at once)
            assert leaf.grad == pytest.approx(along, rel=1e-5, abs=1e-7)
        name = result._op
        assert name.startswith(operation.name) or name.endswith(operation.name)
    assert compared > 10


def test_what_the_table_calls_a_function_can_be_typed() -> None:
    assert {"log", "exp", "relu"} <= set(FUNCTIONS)
    for operation in OPERATIONS:
        if operation.is_function:
            result, _ = evaluate(f"x = 1.5; {operation.method}(x)")
            assert result.data == operation.plain(1.5)
