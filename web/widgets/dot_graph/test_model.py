"""Both graphs of a dot product are those that the package makes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt import Value, dot
from microgpt.autograd import topological_order
from microgpt.engines import value
from tests.models import refusals
from widgets.dot_graph.model import LARGEST, DotSide, dot_graph

numbers = st.integers(-40, 40).map(lambda x: x / 10)
pairs = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=4)


def made(side: DotSide) -> list[str]:
    return [node["title"] for node in side["nodes"] if not node["element"]]


def gradients(side: DotSide) -> dict[str, str]:
    return {x["element"]: x["grad"] for x in side["nodes"] if x["element"]}


def test_each_product_and_each_sum_is_a_node_or_there_is_one_node() -> None:
    for count in range(1, 5):
        steps, whole = dot_graph([1.5] * count, [2.5] * count)["sides"]
        assert sorted(made(steps)) == ["add"] * (count - 1) + ["multiply"] * count
        assert made(whole) == ["dot"]
        assert (steps["made"], whole["made"]) == (2 * count - 1, 1)
        assert len(steps["edges"]) == 4 * count - 2
        assert len(whole["edges"]) == 2 * count


def test_whole_numbers_come_from_browsers_as_integers() -> None:
    same = dot_graph([1.0, 0.0, 2.0], [3.0, 0.0, 1.0])
    assert dot_graph([1, 0, 2], [3, 0, 1]) == same


@given(pairs)
def test_what_is_shown_are_the_numbers_of_the_package(
    vectors: list[tuple[float, float]],
) -> None:
    a, b = ([float(x) for x in each] for each in zip(*vectors, strict=True))
    shown = dot_graph(a, b)
    for side, operate in zip(shown["sides"], (value.dot, dot), strict=True):
        ours, theirs = [*map(Value, a)], [*map(Value, b)]
        output = operate(ours, theirs)
        output.backward()
        found = {x["element"]: float(x["grad"]) for x in side["nodes"]}
        for name, vector in (("a", ours), ("b", theirs)):
            for i, element in enumerate(vector):
                assert found[f"{name}[{i}]"] == pytest.approx(element.grad, abs=1e-9)
        for node in side["nodes"]:
            assert node["says"] == (
                f"{node['title']}: data {node['data']}, grad {node['grad']}"
            )
            if node["element"]:
                floats = a if node["element"][0] == "a" else b
                assert float(node["data"]) == floats[int(node["element"][2:-1])]
        for edge in side["edges"]:
            child = side["nodes"][edge["source"]]
            partner = {f"a[{i}]": bi for i, bi in enumerate(b)}
            partner |= {f"b[{i}]": ai for i, ai in enumerate(a)}
            assert float(edge["local_grad"]) == partner.get(child["element"], 1)
        counts = len(side["nodes"]), len(side["edges"])
        assert re.findall(r"\d+", side["summary"]) == [*map(str, counts)]
        result = side["nodes"][-1]
        assert float(result["data"]) == pytest.approx(output.data, rel=1e-3, abs=1e-9)
        assert len(side["nodes"]) == len(topological_order(output))
    assert gradients(shown["sides"][0]) == gradients(shown["sides"][1])
    assert "the same result and gradients" in shown["verdict"]
    saved = 2 * len(a) - 2  # of a product each, and a sum less
    fewer = {0: "no node fewer", 1: "1 node fewer"}.get(saved, f"{saved} nodes fewer")
    assert fewer in shown["verdict"]


test_what_cannot_be_shown_is_refused = refusals(
    dot_graph,
    {"a": [1.0], "b": [1.0]},
    ({"a": [], "b": []}, "from 1 to 4 numbers"),
    ({"a": [1.0] * 9, "b": [1.0] * 9}, "from 1 to 4 numbers"),
    ({"b": [1.0, 2.0]}, "as many numbers"),
    ({"a": [LARGEST + 0.1]}, "choose numbers from"),
    ({"a": [float("nan")]}, "choose numbers from"),
)


def test_a_wrong_derivative_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def swapped(a: list[Value], b: list[Value]) -> Value:
        right = dot(a, b)
        data = tuple(v.data for v in (*a, *b))
        return Value(right.data, (*a, *b), data)

    monkeypatch.setattr("widgets.dot_graph.model.nn.dot", swapped)
    assert "different result" in dot_graph([1.0, 2.0], [3.0, -4.0])["verdict"]
