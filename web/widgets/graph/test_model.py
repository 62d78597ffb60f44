"""The instrument plays what the package computes, and says why it cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import Value, topological_order
from microgpt.expression import evaluate
from tests.models import assert_json
from widgets.graph.model import Graph, bracketed, graph, short

FIRST = "a = 2; b = 3; c = a + b; d = c * a"
EXPRESSIONS = [
    FIRST,
    "a = 1; b = a + a; c = b + b",
    "a = 1; b = 3; c = 2; d = -4; z = a * b + c * d",
    "a = 2; b = -3; c = 4; d = a * b * c",
    "x = 3; w = 0.5; b = 1; loss = (w * x + b - 4) ** 2",
    "x = 2; y = 1 / x - 2 ** x + x.exp()",
    "x = 0.3; y = log(1 + exp(x)) / x",
    "a = 2; b = -5; c = relu(a + b); d = c * a",
    "2 * -3 + 4 ** 2",
    "é = 2; é * é",
    "a = 7",
]


def computed(expression: str) -> list[Value]:
    output, _ = evaluate(expression)
    output.backward()
    return topological_order(output)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_nodes_edges_and_the_end_are_those_of_the_package(expression: str) -> None:
    order, shown = computed(expression), graph(expression)
    assert [(n["data"], n["grad"]) for n in shown["nodes"]] == [
        (short(node.data), short(node.grad)) for node in order
    ]
    assert [(e["source"], e["target"], e["local_grad"]) for e in shown["edges"]] == [
        (order.index(child), order.index(node), short(local_grad))
        for node in order
        for child, local_grad in zip(node._children, node._local_grads, strict=True)
    ]
    assert shown["steps"][-1]["grads"] == [short(node.grad) for node in order]
    assert all(step["says"] for step in shown["steps"])
    assert_json(shown)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_values_come_one_by_one_after_what_they_are_made_of(expression: str) -> None:
    order, shown = computed(expression), graph(expression)
    made = [i for i, node in enumerate(order) if node._children]
    forward = shown["steps"][: shown["forward"] + 1]
    assert [step["node"] for step in forward] == [None, *made]
    for step in forward[1:]:
        edges = [shown["edges"][i] for i in step["edges"]]
        assert {edge["target"] for edge in edges} == {step["node"]}
        assert len(edges) == len(order[step["node"] or 0]._children)
        assert set(step["grads"]) == {"0"}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_each_edge_adds_once_what_takes_its_child_to_the_next_gradient(
    expression: str,
) -> None:
    """The addends are multiplied and added up again, on the graph of the package."""
    order, shown = computed(expression), graph(expression)
    slopes = [g for node in order for g in node._local_grads]
    grads = [0.0] * (len(order) - 1) + [1.0]
    begin, *additions, _ = shown["steps"][shown["forward"] + 1 :]
    assert (begin["node"], begin["addend"]) == (len(order) - 1, "→ 1")
    assert sorted(i for step in additions for i in step["edges"]) == [
        *range(len(shown["edges"]))
    ]
    for step in additions:
        assert step["grads"] == [short(grad) for grad in grads]
        (at,) = step["edges"]
        edge = shown["edges"][at]
        added = slopes[at] * grads[edge["target"]]
        assert step["node"] == edge["source"]
        assert step["addend"] == f"+ {bracketed(short(added))}"
        assert step["product"].startswith(f"{short(slopes[at])} × ")
        grads[edge["source"]] += added
    assert [short(grad) for grad in grads] == [short(node.grad) for node in order]


def test_a_negative_gradient_is_told_as_it_is() -> None:
    step = graph("a = 3; b = 5 - 2 * a")["steps"][-3]
    assert "b moves 2 × (−1) = −2 times as far as a." in step["says"]
    assert step["addend"] == "+ (−2)"


# What can be moved, and what nodes say


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_inputs_stand_where_their_numbers_can_be_replaced(expression: str) -> None:
    shown = graph(expression)
    assert shown["inputs"]
    for moved in shown["inputs"]:
        x, (start, end) = moved["value"], moved["place"]
        again = f"{expression[:start]}({x!r}){expression[end:]}"
        assert evaluate(again)[0].data == evaluate(expression)[0].data
        assert moved["low"] < x < moved["high"]


@pytest.mark.parametrize("number", ["1e307", "1e308", "1.7e308"])
def test_a_number_too_large_for_a_slider_has_none(number: str) -> None:
    shown = graph(f"a = {number}; b = 2; c = a * 1 + b * 0")
    assert [moved["name"] for moved in shown["inputs"]] == ["b"]


def says(shown: Graph, title: str) -> str:
    (node,) = [node for node in shown["nodes"] if node["title"] == title]
    return " ".join(node["says"])


def test_a_node_says_what_it_is_and_what_its_gradient_foretells() -> None:
    shown = graph(FIRST)
    assert says(shown, "a") == (
        "a is 2, an input. Gradient 7: if a rises by 0.1, d rises by about 0.7."
    )
    assert "c = a + b is 5, made from a (local gradient 1) and b" in says(shown, "c")
    assert says(shown, "d").endswith("The result: its own gradient is 1.")
    fall = says(graph("x = 300; y = 5 - 2 * x"), "x")
    assert fall.endswith("if x rises by 10, y falls by about 20.")


# What is refused


@pytest.mark.parametrize(
    ("expression", "at", "reason"),
    [
        ("", 0, "empty"),
        ("a = 2; a * b", 11, "character 12: b has no value"),
        ("a = 2; b = 1 / (a - 2)", 11, r"0 \*\* -1 has no finite slope"),
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
    assert refused.value.position == at  # type: ignore[attr-defined]


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
    assert float(text.replace("−", "-")) == pytest.approx(x, rel=0.5, abs=1e-300)
