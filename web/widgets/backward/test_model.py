"""The walk that is shown is the one that the package's own `backward` takes."""

from __future__ import annotations

import inspect
import sys
from itertools import pairwise

import pytest

from microgpt import autograd
from microgpt.autograd import Value, topological_order
from microgpt.cli.expression import evaluate
from tests.models import assert_json, assert_listed
from widgets._drawing import short
from widgets.backward.model import Backward, BackwardStep, backward

EXPRESSIONS = [
    "a = 2; b = 3; c = a + b; d = c * a",
    "x = 3; y = x * x",
    "a = 1; b = a + a; c = b + b",
    "a = 2; b = -5; c = relu(a + b); d = c * a",
    "x = 3; w = 0.5; loss = (w * x - 4) ** 2",
    "x = 0.3; y = log(1 + exp(x)) / x - 2 ** x",
    "2 * 3 - 4",
    "a = 7",
]


def second_part(walk: Backward) -> list[BackwardStep]:
    return walk["steps"][walk["phases"][1]["at"] :]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_walk_ends_with_the_gradients_of_backward(expression: str) -> None:
    output, _ = evaluate(expression)
    output.backward()
    walk = backward(expression)
    expected = [short(node.grad) for node in topological_order(output)]
    assert walk["steps"][-1]["grads"] == expected
    assert walk["steps"][0]["grads"] == ["0"] * len(expected)
    assert_json(walk)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_each_edge_is_added_once_and_its_addend_is_told_before(expression: str) -> None:
    walk = backward(expression)
    added = []
    steps = walk["steps"]
    for now, then in pairwise(steps):
        change = now["change"]
        if change is None:
            assert then["grads"] == now["grads"]
            continue
        assert now["grads"][change["node"]] == change["was"]
        assert then["grads"][change["node"]] == change["becomes"]
        if change["product"]:
            at = now["edge"]
            assert at is not None
            added.append(at)
            edge = walk["edges"][at]
            assert change["node"] == edge["source"] == now["nodes"]["child"]
            assert edge["target"] == now["nodes"]["node"]
            assert change["product"].startswith(edge["local_grad"])
    assert sorted(added) == list(range(len(walk["edges"])))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_lines_are_those_of_the_package_and_each_step_has_its_words(
    expression: str,
) -> None:
    walk = backward(expression)
    assert [f["name"] for f in walk["functions"]] == ["backward", "topological_order"]
    lit = [step["line"] for step in walk["steps"]]
    assert_listed("microgpt/autograd.py", walk["functions"], lit)
    assert all(step["says"] for step in walk["steps"])


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_order_grows_to_that_of_the_package_and_is_read_backwards(
    expression: str,
) -> None:
    walk = backward(expression)
    nodes = list(range(len(walk["nodes"])))
    orders = [x["lists"]["order"] for x in walk["steps"] if "order" in x["lists"]]
    assert orders[0] == []
    assert orders[-1] == nodes  # nodes are numbered in topological order
    assert all(x == nodes[: len(x)] for x in orders)
    visited = [
        step["nodes"]["node"]
        for step in second_part(walk)
        if step["nodes"].get("node") is not None
    ]
    assert list(dict.fromkeys(visited)) == nodes[::-1]


def test_a_contribution_is_written_out() -> None:
    walk = backward("a = 2; b = 3; c = a + b; d = c * a")
    changes = [step["change"] for step in walk["steps"] if step["change"]]
    assert [(c["formula"], c["was"], c["becomes"]) for c in changes] == [
        ("d.grad = 1", "0", "1"),
        ("c.grad += 2 × 1", "0", "2"),
        ("a.grad += 5 × 1", "0", "5"),
        ("a.grad += 1 × 2", "5", "7"),
        ("b.grad += 1 × 2", "0", "2"),
    ]


def test_another_backward_gives_another_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant in memory, which assigns where the package adds."""
    source = inspect.getsource(Value.backward).replace("+=", "=")
    lines = inspect.getsourcelines(Value.backward)[1]
    code = "\n" * (lines - 2) + "class Mutant:\n" + source
    names = dict(vars(autograd))
    exec(compile(code, autograd.__file__, "exec"), names)  # noqa: S102
    monkeypatch.setattr(Value, "backward", names["Mutant"].backward)
    walk = backward("a = 2; b = 3; c = a + b; d = c * a")
    assert walk["steps"][-1]["grads"] == ["2", "2", "2", "1"]


def test_whoever_traces_goes_on_tracing_afterwards() -> None:
    def tracer(*_: object) -> None:
        return None

    earlier = sys.gettrace()
    sys.settrace(tracer)
    try:
        backward("a = 2; a * a")
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(earlier)


@pytest.mark.parametrize(
    ("expression", "at", "reason"),
    [
        ("", 0, "empty"),
        ("a = 2; a * b", 11, "b has no value"),
        ("x = 1e-100; y = (1 / x) ** 3", 4, "gradient here is too large"),
        ("a = 1; b = " + "+".join(["a"] * 40), None, "40 nodes; 24 fit in here"),
    ],
)
def test_what_cannot_be_walked_is_refused_where_it_stands(
    expression: str, at: int | None, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        backward(expression)
    assert refused.value.at == at  # type: ignore[attr-defined]
