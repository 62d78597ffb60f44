"""The graph sandbox shows what the package computes, and says why it cannot."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import topological_order
from microgpt.cli.expression import evaluate
from tests.models import assert_json, slope
from widgets._drawing import short
from widgets.graph.model import Graph, graph

EXPRESSIONS = [
    "a = 2; b = 3; c = a + b; d = c * a",
    "a = 2; b = -3; c = 4; d = a * b * c",
    "x = 1; y = log(1 + exp(x))",
    "x = 3; w = 0.5; b = 1; loss = (w * x + b - 4) ** 2",
    "x = 2; y = 1 / x - 2 ** x + x.exp()",
    "2 * -3 + 4 ** 2",
    "(-3) ** 3 + 4",
    "é = 2; é * é",
    "a = 7",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_nodes_and_edges_are_those_of_the_package_after_backward(
    expression: str,
) -> None:
    output, _ = evaluate(expression)
    output.backward()
    order = topological_order(output)
    shown = graph(expression)
    assert [(n["data"], n["grad"]) for n in shown["nodes"]] == [
        (short(node.data), short(node.grad)) for node in order
    ]
    assert [(e["source"], e["target"], e["local_grad"]) for e in shown["edges"]] == [
        (order.index(child), order.index(node), short(local_grad))
        for node in order
        for child, local_grad in zip(node._children, node._local_grads, strict=True)
    ]
    assert_json(shown)


def value_at(expression: str, place: tuple[int, int], x: float) -> float:
    """The result, with another number at a place of the text."""
    start, end = place
    return evaluate(f"{expression[:start]}({x!r}){expression[end:]}")[0].data


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_gradients_of_inputs_are_slopes_that_can_be_measured(expression: str) -> None:
    shown = graph(expression)
    assert shown["inputs"]
    for moved in shown["inputs"]:
        x, place = moved["value"], moved["place"]
        assert value_at(expression, place, x) == evaluate(expression)[0].data
        measured = slope(partial(value_at, expression, place), x)
        shown_slope = float(shown["nodes"][moved["node"]]["grad"])
        assert measured == pytest.approx(shown_slope, rel=2e-3, abs=1e-6)
        assert moved["low"] < x < moved["high"]


def says(shown: Graph, title: str) -> str:
    (at,) = [i for i, node in enumerate(shown["nodes"]) if node["title"] == title]
    return " ".join(shown["says"][at])


def test_a_node_says_what_it_is_and_what_its_gradient_foretells() -> None:
    shown = graph("a = 2; b = 3; c = a + b; d = c * a")
    assert says(shown, "a") == (
        "a is 2, an input. Gradient 7: if a rises by 0.1, d rises by about 0.7. "
        "Tried: it rises by 0.71."
    )
    assert "c = a + b is 5, made from a (local gradient 1) and b" in says(shown, "c")
    assert says(shown, "d").endswith("The result: its own gradient is 1.")


def test_what_is_tried_is_measured_also_where_the_gradient_misleads() -> None:
    x = says(graph("x = 0; y = relu(x); z = 3 * y + x"), "x")
    assert "Gradient 1: if x rises by 0.1, z rises by about 0.1." in x
    assert x.endswith("Tried: it rises by 0.4.")
    fall = says(graph("x = 3; y = 5 - 2 * x"), "x")
    assert "y falls by about 0.2. Tried: it falls by 0.2." in fall
    beyond = says(graph("x = 1; y = x ** 0.5 - log(1.05 - x)"), "x")
    assert "Tried" not in beyond


@pytest.mark.parametrize(
    ("expression", "at", "reason"),
    [
        ("", 0, "empty"),
        ("a = 2; a * b", 11, "character 12: b has no value"),
        ("a = 2; b = 1 / (a - 2)", 11, "not a finite number"),
        ("x" * 10_000, 1000, "longer than 1,000"),
        ("é = 2; é * 😀", 11, "character 12"),
        ("x = 1e-100; y = (1 / x) ** 3", 4, "gradient here is too large"),
        ("+".join(["1"] * 60), None, "119 nodes; 40 fit in here"),
    ],
)
def test_what_cannot_be_shown_is_refused_where_it_stands(
    expression: str, at: int | None, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        graph(expression)
    assert refused.value.at == at  # type: ignore[attr-defined]


@given(st.text(alphabet="ab12.+-*/() =;elogxpru\n", max_size=40))
def test_any_text_is_shown_or_refused(text: str) -> None:
    try:
        shown = graph(text)
    except ValueError as refused:
        assert str(refused)
        return
    assert_json(shown)


@given(st.floats(-1e300, 1e300))
def test_a_number_fits_its_box_and_stays_close(x: float) -> None:
    text = short(x)
    assert len(text) <= 8
    assert float(text) == pytest.approx(x, rel=0.5, abs=1e-300)
