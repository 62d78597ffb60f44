"""The instrument plays what the package computes, and says why it cannot."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import Value, topological_order
from microgpt.expression import evaluate
from tests.models import assert_json, fences
from widgets._drawing import short
from widgets.graph import walks
from widgets.graph.model import Graph, GraphPlay, graph
from widgets.graph.walks import GraphStep

Walk = Callable[[Value], None]

FIRST = "a = 2; b = 3; c = a + b; d = c * a"
DOUBLED = "a = 1; b = a + a; c = b + b"
SUM = "a = 1; b = 3; c = 2; d = -4; z = a * b + c * d"
EXPRESSIONS = [
    FIRST,
    DOUBLED,
    SUM,
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


@pytest.mark.parametrize("number", ["1e307", "1e308", "1.7e308"])
def test_a_number_too_large_for_a_slider_has_none(number: str) -> None:
    shown = graph(f"a = {number}; b = 2; c = a * 1 + b * 0")
    assert [moved["name"] for moved in shown["inputs"]] == ["b"]


def test_the_least_movement_is_told() -> None:
    says = graph("x = 1; y = 0.0000000000001 * x")["says"]
    assert any(text.startswith("Tried: it rises by") for each in says for text in each)


def way(shown: Graph, name: str = "in order") -> list[GraphStep]:
    (steps,) = [w["steps"] for w in shown["steps"]["walks"] if w["name"] == name]
    return steps


def back(shown: Graph, name: str = "in order") -> list[GraphStep]:
    """The steps of a way back."""
    return way(shown, name)[shown["steps"]["forward"] + 1 :]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_nodes_edges_and_the_end_are_those_of_the_package(expression: str) -> None:
    order = computed(expression)
    shown = graph(expression)
    play = shown["steps"]
    assert [(n["data"], n["grad"]) for n in play["nodes"]] == [
        (short(node.data), short(node.grad)) for node in order
    ]
    assert [(e["source"], e["target"], e["local_grad"]) for e in play["edges"]] == [
        (order.index(child), order.index(node), short(local_grad))
        for node in order
        for child, local_grad in zip(node._children, node._local_grads, strict=True)
    ]
    assert way(shown)[-1]["grads"] == [short(node.grad) for node in order]
    assert all(step["says"] for walk in play["walks"] for step in walk["steps"])
    assert_json(shown)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_values_come_one_by_one_after_what_they_are_made_of(expression: str) -> None:
    shown = graph(expression)
    play, order = shown["steps"], computed(expression)
    made = [i for i, node in enumerate(order) if node._children]
    forward = way(shown)[: play["forward"] + 1]
    assert [step["node"] for step in forward] == [None, *made]
    for step in forward[1:]:
        edges = [play["edges"][i] for i in step["edges"]]
        assert {edge["target"] for edge in edges} == {step["node"]}
        assert len(edges) == len(order[step["node"] or 0]._children)
        assert set(step["grads"]) == {"0"}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_each_edge_adds_once_what_takes_its_child_to_the_next_gradient(
    expression: str,
) -> None:
    """The addends are multiplied and added up again, on the graph of the package."""
    order, shown = computed(expression), graph(expression)
    play = shown["steps"]
    slopes = [g for node in order for g in node._local_grads]
    grads = [0.0] * (len(order) - 1) + [1.0]
    begin, *additions, _ = back(shown)
    assert (begin["node"], begin["addend"]) == (len(order) - 1, "→ 1")
    assert sorted(i for step in additions for i in step["edges"]) == [
        *range(len(play["edges"]))
    ]
    for step in additions:
        assert step["grads"] == [short(grad) for grad in grads]
        (at,) = step["edges"]
        edge = play["edges"][at]
        added = slopes[at] * grads[edge["target"]]
        assert step["node"] == edge["source"]
        assert step["addend"] == f"+ {walks.bracketed(short(added))}"
        assert step["product"].startswith(f"{short(slopes[at])} × ")
        grads[edge["source"]] += added
    assert [short(grad) for grad in grads] == [short(node.grad) for node in order]


def test_a_negative_gradient_is_told_as_it_is() -> None:
    step = back(graph("a = 3; b = 5 - 2 * a"))[-3]
    assert "b moves 2 × (−1) = −2 times as far as a." in step["says"]
    assert step["addend"] == "+ (−2)"


# Without an order


def test_a_walk_without_an_order_can_be_right() -> None:
    shown = graph(FIRST)
    assert all(walk["wrong"] == {} for walk in shown["steps"]["walks"])
    for name in ("edge by edge", "node by node"):
        assert not any(step["astray"] for step in back(shown, name))
        assert "ends with the right gradients" in back(shown, name)[-1]["says"]
    rounded = "a = 0.1; b = 0.2; c = 0.3 * a + 0.7 * a + 1.1 * a; d = c * b"
    assert all(walk["wrong"] == {} for walk in graph(rounded)["steps"]["walks"])


def edge_by_edge() -> Walk:
    """The function of the page."""
    blocks = fences("autograd/order.md", "python")
    (block,) = (block for block in blocks if "def edge_by_edge" in block)
    names: dict[str, Walk] = {}
    exec(block, names)  # noqa: S102
    return names["edge_by_edge"]


def node_by_node(node: Value) -> None:
    for child, local_grad in zip(node._children, node._local_grads):
        child.grad += local_grad * node.grad
    for child in node._children:
        node_by_node(child)


WALKS = {"edge by edge": edge_by_edge(), "node by node": node_by_node}


def gradients(expression: str, walk: Walk) -> list[float]:
    output, _ = evaluate(expression)
    output.grad = 1.0
    walk(output)
    return [node.grad for node in topological_order(output)]


@given(st.lists(st.sampled_from(["b = a * a", "b = b + a", "a = a + b"]), max_size=3))
def test_any_graph_ends_as_the_functions_leave_it(parts: list[str]) -> None:
    expression = "; ".join(["a = 2", "b = 3", *parts, "c = a * b"])
    shown, right = graph(expression), [node.grad for node in computed(expression)]
    for walk in shown["steps"]["walks"][1:]:
        left = gradients(expression, WALKS[walk["name"]])
        assert walk["steps"][-1]["grads"] == [short(grad) for grad in left]
        assert walk["wrong"] == {
            str(i): short(right[i]) for i, grad in enumerate(left) if grad != right[i]
        }


# One node for each sum of products


def whole(expression: str) -> GraphPlay:
    """The smaller graph, whose nodes have the numbers that they had in the first."""
    shown = graph(expression)
    play = shown["dots"]
    assert play is not None
    before = {node["title"]: node for node in shown["steps"]["nodes"]}
    for node in play["nodes"]:
        same = before.get(node["title"], node)
        assert (node["data"], node["grad"]) == (same["data"], same["grad"])
    return play


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_sum_of_products_can_be_one_node(count: int) -> None:
    given = "; ".join(f"a{i} = {i + 1}; b{i} = {-i - 0.5}" for i in range(count))
    terms = " + ".join(f"a{i} * b{i}" for i in range(count))
    play, vectors = whole(f"{given}; z = {terms}"), 2 * count
    assert [node["operation"] for node in play["nodes"]] == [""] * vectors + ["dot"]
    assert len(play["edges"]) == vectors
    assert play["walks"][0]["steps"][-1]["grads"] == [n["grad"] for n in play["nodes"]]


def test_only_what_has_no_name_and_is_used_once_goes_into_it() -> None:
    kept = ["a * b", "a * b + c", "p = a * b; p + a * c", "p = a * b; p * p + p"]
    for expression in kept:
        assert graph(f"a = 1; b = 2; c = 3; {expression}")["dots"] is None
    play = whole("a = 1; b = 2; c = 3; y = relu(a * b + b * c + 2) + c")
    assert [n["operation"] for n in play["nodes"] if n["operation"]] == ["add"]
    assert [n["title"] for n in play["nodes"] if "*" in n["title"]] == []
    assert sum("dot" in (n["title"], n["operation"]) for n in play["nodes"]) == 1


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


def as_float(text: str) -> float:
    return float(text.replace("−", "-"))


def says(shown: Graph, title: str) -> str:
    titles = [node["title"] for node in shown["steps"]["nodes"]]
    return " ".join(shown["says"][titles.index(title)])


def test_a_node_says_what_it_is_and_what_its_gradient_foretells() -> None:
    shown = graph(FIRST)
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
    assert as_float(text) == pytest.approx(x, rel=0.5, abs=1e-300)
