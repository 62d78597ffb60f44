"""The graph widget shows the steps that the package computes, or says what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import Value, topological_order
from microgpt.expression import evaluate
from tests.models import assert_finite_json
from widgets.graph.model import Graph, format_short, graph, parenthesize_negative

REUSED_INPUT = "a = 2; b = 3; c = a + b; d = c * a"
EXPRESSIONS = [
    REUSED_INPUT,
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


def nodes_after_backward(expression: str) -> list[Value]:
    """Return the nodes of an expression in topological order, with their gradients."""
    output, _ = evaluate(expression)
    output.backward()
    return topological_order(output)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_graph_has_nodes_edges_and_gradients_of_the_package(expression: str) -> None:
    order, result = nodes_after_backward(expression), graph(expression)
    assert [(node["data"], node["grad"]) for node in result["nodes"]] == [
        (format_short(node.data), format_short(node.grad)) for node in order
    ]
    edges = [(e["source"], e["target"], e["local_grad"]) for e in result["edges"]]
    assert edges == [
        (order.index(child), order.index(node), format_short(local_grad))
        for node in order
        for child, local_grad in zip(node._children, node._local_grads, strict=True)
    ]
    assert result["steps"][-1]["grads"] == [format_short(node.grad) for node in order]
    assert all(step["caption"] for step in result["steps"])
    assert_finite_json(result)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_forward_steps_compute_one_value_at_a_time(expression: str) -> None:
    order, result = nodes_after_backward(expression), graph(expression)
    computed = [i for i, node in enumerate(order) if node._children]
    forward = result["steps"][: result["last_forward_step"] + 1]
    assert [step["node"] for step in forward] == [None, *computed]
    for step in forward[1:]:
        edges = [result["edges"][i] for i in step["edges"]]
        assert {edge["target"] for edge in edges} == {step["node"]}
        assert len(edges) == len(order[step["node"] or 0]._children)
        assert set(step["grads"]) == {"0"}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_each_backward_step_adds_the_share_of_an_edge(expression: str) -> None:
    """The test multiplies and adds the shares again, on the package's graph."""
    order, result = nodes_after_backward(expression), graph(expression)
    local_grads = [g for node in order for g in node._local_grads]
    grads = [0.0] * (len(order) - 1) + [1.0]
    first, *additions, _ = result["steps"][result["last_forward_step"] + 1 :]
    assert (first["node"], first["addend"]) == (len(order) - 1, "→ 1")
    added_edges = sorted(i for step in additions for i in step["edges"])
    assert added_edges == [*range(len(result["edges"]))]
    for step in additions:
        assert step["grads"] == [format_short(grad) for grad in grads]
        (index,) = step["edges"]
        edge = result["edges"][index]
        added = local_grads[index] * grads[edge["target"]]
        assert step["node"] == edge["source"]
        assert step["addend"] == f"+ {parenthesize_negative(format_short(added))}"
        assert step["product"].startswith(f"{format_short(local_grads[index])} × ")
        grads[edge["source"]] += added
    assert [*map(format_short, grads)] == [format_short(node.grad) for node in order]


def test_negative_gradients_are_in_parentheses_after_operators() -> None:
    step = graph("a = 3; b = 5 - 2 * a")["steps"][-3]
    assert "b moves 2 × (−1) = −2 times as far as a." in step["caption"]
    assert step["addend"] == "+ (−2)"


# Sliders and explanations


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_input_spans_locate_the_numbers_in_the_text(expression: str) -> None:
    result = graph(expression)
    assert result["inputs"]
    for slider in result["inputs"]:
        x, (start, end) = slider["value"], slider["span"]
        replaced = f"{expression[:start]}({x!r}){expression[end:]}"
        assert evaluate(replaced)[0].data == evaluate(expression)[0].data
        assert slider["low"] < x < slider["high"]


@pytest.mark.parametrize("number", ["1e307", "1e308", "1.7e308"])
def test_number_too_large_for_a_slider_has_none(number: str) -> None:
    result = graph(f"a = {number}; b = 2; c = a * 1 + b * 0")
    assert [slider["name"] for slider in result["inputs"]] == ["b"]


def node_explanation(result: Graph, title: str) -> str:
    """Return the sentences of the node with that title."""
    (node,) = [node for node in result["nodes"] if node["title"] == title]
    return " ".join(node["sentences"])


def test_node_sentences_explain_value_and_gradient() -> None:
    result = graph(REUSED_INPUT)
    assert node_explanation(result, "a") == (
        "a is 2, an input. Gradient 7: if a rises by 0.1, d rises by about 0.7."
    )
    assert "c = a + b is 5, made from a (local gradient 1) and b" in node_explanation(
        result, "c"
    )
    assert node_explanation(result, "d").endswith("The result: its own gradient is 1.")
    negative = node_explanation(graph("x = 300; y = 5 - 2 * x"), "x")
    assert negative.endswith("if x rises by 10, y falls by about 20.")


# Errors


@pytest.mark.parametrize(
    ("expression", "at", "reason"),
    [
        ("", 0, "expected an expression"),
        ("a = 2; a * b", 11, "character 12: b has no value"),
        ("a = 2; b = 1 / (a - 2)", 16, "the divisor .* is 0"),
        ("x" * 10_000, 1000, "at most 1,000"),
        ("é = 2; é * 😀", 11, "character 12"),
        ("x = 1e-100; y = (1 / x) ** 3", 4, "gradient here is too large"),
        (
            "+".join("1" * 60),
            None,
            "the graph has 119 nodes, and 40 fit in here: shorten the expression",
        ),
    ],
)
def test_graph_error_locates_the_wrong_character(
    expression: str, at: int | None, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason) as error:
        graph(expression)
    assert error.value.position == at  # type: ignore[attr-defined]


@given(st.text(alphabet="ab12.+-*/() =;elogxpru\n", max_size=40))
def test_any_text_gives_a_graph_or_a_value_error(text: str) -> None:
    try:
        result = graph(text)
    except ValueError as error:
        assert str(error)
        return
    assert_finite_json(result)


@given(st.floats(-1e300, 1e300))
def test_format_short_has_at_most_eight_characters_and_stays_close(x: float) -> None:
    text = format_short(x)
    assert len(text) <= 8
    assert float(text.replace("−", "-")) == pytest.approx(x, rel=0.5, abs=1e-300)
