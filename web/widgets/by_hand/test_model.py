"""The gradient by hand is shown as the program computes it."""

from __future__ import annotations

import inspect
import math
from itertools import pairwise

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import assert_json, assert_listed, document, refusals
from widgets._network import State, trained_weights
from widgets.by_hand.model import ByHand, by_hand

DRAWN = untrained()[2]  # what the pages begin with


def written(result: ByHand, name: str) -> list[float]:
    return [s["values"] for s in result["steps"] if s["wrote"] == name][-1]


@pytest.mark.parametrize(("name", "pair"), [("emma", 1), ("emma", 3), ("a", 2)])
def test_the_vectors_are_those_of_the_pair(name: str, pair: int) -> None:
    tokens = document(name)
    token, target = tokens[pair - 1], tokens[pair]
    result = by_hand(name, pair, "untrained")
    assert (result["token"], result["target"]) == (token, target)
    signs = ["BOS", *name, "BOS"]
    assert result["pairs"] == [f"{a} → {b}" for a, b in pairwise(signs)]
    x = DRAWN["wte"][token]
    hidden = step1.linear(x, DRAWN["fc1"])
    p = step1.softmax(step1.forward(token, DRAWN))
    vectors = {
        "x": x,
        "hidden": hidden,
        "activated": [max(0.0, h) for h in hidden],
        "probabilities": p,
        "d_logits": [(p[i] - (i == target)) / (len(tokens) - 1) for i in range(27)],
    }
    for vector, numbers in vectors.items():
        assert written(result, vector) == pytest.approx(numbers, rel=1e-3), vector


def test_slopes_of_hidden_units_and_of_x_are_those_that_nudges_find() -> None:
    tokens = document("emma")
    result = by_hand("emma", 2, "untrained")

    def loss_of_hidden(hidden: list[float]) -> float:
        activated = [max(0.0, h) for h in hidden]
        p = step1.softmax(step1.linear(activated, DRAWN["fc2"]))
        return -math.log(p[tokens[2]]) / 5

    def loss_of_x(x: list[float]) -> float:
        return loss_of_hidden(step1.linear(x, DRAWN["fc1"]))

    x = DRAWN["wte"][tokens[1]]
    hidden = step1.linear(x, DRAWN["fc1"])
    for name, loss, vector in (
        ("d_x", loss_of_x, x),
        ("d_hidden", loss_of_hidden, hidden),
    ):
        for i, shown in enumerate(written(result, name)):
            up, down = vector[:], vector[:]
            up[i] += 1e-6
            down[i] -= 1e-6
            true = (loss(up) - loss(down)) / 2e-6
            assert shown == pytest.approx(true, rel=1e-3, abs=1e-7)


@pytest.mark.parametrize("network", ["untrained", "trained"])
def test_pair_by_pair_the_gradient_grows_to_that_of_the_name(network: State) -> None:
    weights = trained_weights() if network == "trained" else DRAWN
    tokens = document("anna")
    gradient = step1.analytic_gradient(tokens, weights)
    results = [by_hand("anna", pair, network) for pair in range(1, len(tokens))]
    for i, name in enumerate(weights):
        first, last = results[0]["matrices"][i], results[-1]["matrices"][i]
        assert first["name"] == name
        assert not any(d for row in first["before"] for d in row)
        scale = last["limit"] / 99
        for drawn, row in zip(last["after"], gradient[name], strict=True):
            assert [d * scale for d in drawn] == pytest.approx(row, abs=0.6 * scale)
        for one, other in pairwise(results):
            before, after = other["matrices"][i], one["matrices"][i]
            for ours, theirs in zip(before["before"], after["after"], strict=True):
                assert [d * before["limit"] for d in ours] == pytest.approx(
                    [d * after["limit"] for d in theirs],
                    abs=0.6 * (before["limit"] + after["limit"]),
                )


def test_each_line_of_the_loop_is_lit_once_in_order_and_says_something() -> None:
    source, first = inspect.getsourcelines(step1.analytic_gradient)
    result = by_hand("emma", 2, "untrained")
    lines = [step["line"] for step in result["steps"]]
    assert lines == sorted(set(lines))
    assert_listed("snippets/step1.py", result["functions"], lines)
    texts = [source[line - first].strip() for line in lines]
    assert texts[0].startswith("for token, target")
    assert texts[-1].startswith('gradient["wte"][token][j]')
    assert [s["wrote"] for s in result["steps"]] == [
        *("", "x", "hidden", "activated", "probabilities", "d_logits", "d_logits"),
        *("d_activated", "d_hidden", "d_x", ""),
    ]
    for step, text in zip(result["steps"], texts, strict=True):
        assert step["says"].endswith(".")
        assert text.startswith(step["wrote"])
    matrices = [s["matrix"] for s in result["steps"] if s["matrix"]]
    assert matrices == ["fc2", "fc1", "wte"]


def test_the_words_have_the_numbers() -> None:
    result = by_hand("emma", 2, "untrained")
    text = " ".join({step["line"]: step["says"] for step in result["steps"]}.values())
    p = step1.softmax(step1.forward(result["token"], DRAWN))[result["target"]]
    on = sum(h > 0 for h in written(result, "hidden"))
    for words in (
        f"{p:.4g} / 5 = {p / 5:.4g}",
        f"{p / 5:.4g} − 0.2 = −{0.2 - p / 5:.4g}",
        f"{on} are above 0",
        f"{64 - on} hidden units were not above 0",
        f"ReLU lets {on} numbers through",
        f"puts 0 for the other {64 - on}.",
        f"softmax makes probabilities. “m” gets {p:.4g}.",
        "x is the embedding of “e”: the 16 numbers",
        "Pair 2 of 5: after “e” comes “m”.",
    ):
        assert words in text
    for pair in (1, 2, 3, 4, 5):  # the m of pair 4 has brought something before
        says = by_hand("emma", pair, "untrained")["steps"][-1]["says"]
        assert ("on top of what it brought before" in says) == (pair == 4)


def test_the_longest_name_is_what_json_can_hold() -> None:
    assert_json(by_hand("abcdefghijklmnop", 17, "trained"))


test_what_is_no_pair_of_a_name_is_refused = refusals(
    by_hand,
    {"name": "emma", "pair": 1, "weights": "untrained"},
    ({"name": ""}, "one letter or more"),
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "a" * 17}, "at most 16 letters"),
    ({"pair": 6}, "choose from 1 to 5"),
    ({"pair": 0}, "choose from 1 to 5"),
    ({"pair": 1.5}, "a whole number"),
    ({"pair": math.nan}, "a whole number"),
)


def test_another_gradient_is_another_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the program: what is shown is broken, too."""

    def no_way_back(d_output: object, x: list[float], *_: object) -> list[float]:
        return [0.0] * len(x)

    monkeypatch.setattr(step1, "linear_backward", no_way_back)
    result = by_hand("emma", 2, "untrained")
    assert set(written(result, "d_x")) == {0.0}
    assert not any(d for row in result["matrices"][2]["after"] for d in row)
