"""Each operation of `Value` is in the table, and its gradient is the slope."""

import inspect
import math
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microgpt.autograd import Value
from microgpt.cli import operations
from microgpt.cli.expression import FUNCTIONS, evaluate
from microgpt.cli.operations import CONSTANTS, OPERATIONS, Operation
from tests.models import slope
from weave.kinds import derivative as derivatives

OTHER_METHODS = {"__init__", "__repr__", "backward"}
ROOM = 0.3  # nearer to the edge of a domain, finite differences say little
LARGEST = 100.0


class Step(NamedTuple):
    """An operation of a random program, on earlier results and a constant."""

    operation: Operation
    places: Sequence[int]
    constant: float | None


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
    stated = derivatives.Derivative("squash(a)", {"a": "1 - squash(a) ** 2"}, 1)
    monkeypatch.setattr(Value, "squash", squash, raising=False)
    assert not_in_the_table() == {"squash"}
    row = Operation("squash", "squash", math.tanh)
    monkeypatch.setattr(operations, "OPERATIONS", (*OPERATIONS, row))
    assert wrong_operations() == ["squash"]
    with pytest.raises(derivatives.Untrue, match="backward"):
        derivatives.check(stated)

    monkeypatch.setattr(Value, "squash", right_squash)
    assert not_in_the_table() == set()
    assert wrong_operations() == []
    derivatives.check(stated)


def test_what_the_table_calls_a_function_can_be_typed() -> None:
    assert {"log", "exp", "relu"} <= set(FUNCTIONS)
    for operation in OPERATIONS:
        if operation.is_function:
            result, _ = evaluate(f"x = 1.5; {operation.method}(x)")
            assert result.data == operation.plain(1.5)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    operation = draw(st.sampled_from(OPERATIONS))
    place = st.integers(0, 99)
    if operation.method == "sum":
        return Step(operation, draw(st.lists(place, min_size=1, max_size=5)), None)
    if operation.constants:
        constant = draw(st.sampled_from(operation.constants))
        return Step(operation, [draw(place)], constant)
    if arity(operation) == 2 and draw(st.booleans()):
        return Step(operation, [draw(place)], draw(st.sampled_from(CONSTANTS)))
    return Step(operation, [draw(place) for _ in range(arity(operation))], None)


programs = st.tuples(
    st.lists(st.floats(-2, 2).map(lambda x: round(x, 3)), min_size=1, max_size=4),
    st.lists(steps(), min_size=1, max_size=10),
)


def compute(
    leaves: Sequence[Any], recipe: Sequence[Step], apply: Callable[..., Any]
) -> list[Any]:
    """Apply the operations one after another; each may use any earlier result."""
    nodes = list(leaves)
    for step in recipe:
        nodes.append(apply(step.operation, *chosen(step, nodes)))
    return nodes


def chosen(step: Step, nodes: Sequence[Any]) -> list[Any]:
    found = [nodes[i % len(nodes)] for i in step.places]
    if step.operation.method == "sum":
        return [found]
    return found if step.constant is None else [*found, step.constant]


def on_floats(operation: Operation, *operands: Any) -> float:
    return operation.plain(*operands)


def tame(leaves: Sequence[float], recipe: Sequence[Step]) -> list[Step]:
    """Leave out the operations that are badly conditioned at these numbers."""
    kept: list[Step] = []
    for step in recipe:
        found = chosen(step, compute(leaves, kept, on_floats))
        if step.operation.margin(*found) < ROOM:
            continue
        if abs(step.operation.plain(*found)) < LARGEST:
            kept.append(step)
    return kept


@settings(max_examples=300)
@given(programs)
def test_gradients_of_any_graph_equal_finite_differences(
    program: tuple[list[float], list[Step]],
) -> None:
    data, recipe = program
    recipe = tame(data, recipe)
    leaves = [Value(x) for x in data]
    output = compute(leaves, recipe, on_values)[-1]

    def plain(*point: float) -> float:
        result: float = compute(point, recipe, on_floats)[-1]
        return result

    assert output.data == pytest.approx(plain(*data), rel=1e-12)
    output.backward()
    for i, leaf in enumerate(leaves):
        assert leaf.grad == pytest.approx(
            slope_along(plain, data, i), rel=1e-3, abs=1e-4
        )


@settings(max_examples=300)
@given(programs)
def test_gradients_of_any_graph_equal_those_of_pytorch(
    program: tuple[list[float], list[Step]],
) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch, to compare with, is missing")

    def on_tensors(operation: Operation, *operands: Any) -> Any:
        if operation.method == "sum":
            return torch.stack(operands[0]).sum()
        return getattr(torch.Tensor, operation.method)(*operands)

    data, recipe = program
    recipe = tame(data, recipe)
    nodes = compute([Value(x) for x in data], recipe, on_values)
    nodes[-1].backward()
    tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in data]
    their_nodes = compute(tensors, recipe, on_tensors)
    for tensor in their_nodes:
        tensor.retain_grad()
    their_nodes[-1].backward()
    for ours, theirs in zip(nodes, their_nodes, strict=True):
        assert ours.data == pytest.approx(theirs.item(), rel=1e-12, abs=1e-12)
        grad = 0.0 if theirs.grad is None else theirs.grad.item()
        assert ours.grad == pytest.approx(grad, rel=1e-10, abs=1e-10)
