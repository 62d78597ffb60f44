"""The naive walk and the ordered one are those of the page and of the package."""

from __future__ import annotations

import ast
import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import Value, topological_order
from microgpt.cli.expression import evaluate
from tests.models import fences, refusals
from widgets.order import model as module
from widgets.order.model import Order, OrderStep, order

SMALLEST = "a = 1; b = a + a; c = b + b"


def function(source: str) -> str:
    """Return a function's code without its words and types."""
    (definition,) = (
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == "edge_by_edge"
    )
    if ast.get_docstring(definition):
        del definition.body[0]
    for argument in definition.args.args:
        argument.annotation = None
    definition.returns = None
    return ast.unparse(definition)


def final(result: Order, steps: list[OrderStep]) -> list[str]:
    return steps[-1]["grads"] if steps else result["start"]


def test_the_naive_walk_is_the_function_of_the_page() -> None:
    blocks = fences("autograd/order.md", "python")
    (block,) = (block for block in blocks if "def edge_by_edge" in block)
    assert function(inspect.getsource(module)) == function(block)


def told(steps: list[OrderStep]) -> list[tuple[int, str, str, bool]]:
    return [(s["edge"], s["formula"], s["sum"], s["astray"]) for s in steps]


def test_the_smallest_graph_ends_with_6_against_4() -> None:
    result = order(SMALLEST)
    assert final(result, result["naive"]) == ["6", "2", "1"]
    assert final(result, result["ordered"]) == ["4", "2", "1"]
    assert result["wrong"] == [0]
    assert result["verdict"] == "The naive walk is wrong: a.grad is 6 instead of 4."
    assert result["parting"] == 1
    assert told(result["naive"]) == [
        (2, "b.grad += 1 × 1", "0 + 1 = 1", False),
        (0, "a.grad += 1 × 1", "0 + 1 = 1", True),
        (1, "a.grad += 1 × 1", "1 + 1 = 2", True),
        (3, "b.grad += 1 × 1", "1 + 1 = 2", False),
        (0, "a.grad += 1 × 2", "2 + 2 = 4", True),
        (1, "a.grad += 1 × 2", "4 + 2 = 6", True),
    ]
    assert told(result["ordered"]) == [
        (2, "b.grad += 1 × 1", "0 + 1 = 1", False),
        (3, "b.grad += 1 × 1", "1 + 1 = 2", False),
        (0, "a.grad += 1 × 2", "0 + 2 = 2", False),
        (1, "a.grad += 1 × 2", "2 + 2 = 4", False),
    ]
    says = [step["says"] for step in result["naive"]]
    assert says[1] == "b passes on 1 before it is complete: it should be 2."
    assert says[3] == "c passes on 1. b becomes 2 only now: it has passed on 1 already."
    assert says[4] == "b passes on 2, after it has passed on 1."


def test_three_doublings_count_each_early_gradient_again() -> None:
    result = order("a = 1; b = a + a; c = b + b; d = c + c")
    assert final(result, result["naive"])[0] == "26"
    assert final(result, result["ordered"])[0] == "8"


def test_the_naive_walk_can_be_right() -> None:
    result = order("a = 2; b = 3; c = a + b; d = c * a")
    assert result["wrong"] == []
    assert not any(step["astray"] for step in result["naive"])
    assert final(result, result["naive"]) == final(result, result["ordered"])
    assert result["verdict"].startswith("Both walks end with the same gradients")


def test_another_rounding_is_no_mistake() -> None:
    result = order("a = 0.1; b = 0.2; c = 0.3 * a + 0.7 * a + 1.1 * a; d = c * b")
    assert result["wrong"] == []


def test_a_number_alone_has_nothing_to_pass_on() -> None:
    result = order("a = 1")
    assert result["naive"] == result["ordered"] == []
    assert result["parting"] is None


TOO_LONG = "a = 1; b = a + a; c = b + b; d = c + c; e = d + d; f = e + e"
test_what_cannot_be_walked_is_refused_in_a_sentence = refusals(
    order,
    {},
    ({"expression": TOO_LONG}, "32 steps"),
    ({"expression": "a = 1; b = a +"}, "invalid syntax"),
    ({"expression": ""}, "empty"),
    ({"expression": "+".join(["a = 1; a", *["a"] * 40])}, "nodes"),
    ({"expression": "a = 1e200; b = a * a; c = b * b"}, "finite"),
)


def test_values_are_as_they_were_after_a_refusal() -> None:
    with pytest.raises(ValueError, match="32 steps"):
        order(TOO_LONG)
    assert type(Value(1.0) + 1) is Value


def naive_gradients(expression: str) -> list[float]:
    """Walk without watching."""
    output, _ = evaluate(expression)

    def walk(node: Value) -> None:
        for child, local_grad in zip(node._children, node._local_grads, strict=True):
            child.grad += local_grad * node.grad
            walk(child)

    output.grad = 1.0
    walk(output)
    return [node.grad for node in topological_order(output)]


@given(st.lists(st.sampled_from(["b = a * a", "b = b + a", "a = a + b"]), max_size=3))
def test_any_graph_ends_as_the_functions_leave_it(parts: list[str]) -> None:
    expression = "; ".join(["a = 2", "b = 3", *parts, "c = a * b"])
    result = order(expression)
    output, _ = evaluate(expression)
    output.backward()
    right = [float(f"{node.grad:.4g}") for node in topological_order(output)]
    left = [float(f"{grad:.4g}") for grad in naive_gradients(expression)]
    assert [float(grad) for grad in final(result, result["ordered"])] == right
    assert [float(grad) for grad in final(result, result["naive"])] == left
    assert result["wrong"] == [i for i, g in enumerate(left) if g != right[i]]
