"""The gradient by hand is shown as the program computes it."""

from __future__ import annotations

import inspect
import json
import math
import random
from itertools import pairwise
from typing import Any

import pytest

from microgpt import Tokenizer, load_names
from snippets import step1
from widgets._network import trained_weights
from widgets.by_hand.model import ByHand, by_hand


def start() -> tuple[Tokenizer, step1.Weights]:
    """What the pages begin with."""
    tokenizer = Tokenizer(load_names())
    return tokenizer, step1.initial_weights(tokenizer.vocab_size, random.Random(42))


def written(result: ByHand, name: str) -> list[float]:
    return [s["values"] for s in result["steps"] if s["wrote"] == name][-1]


@pytest.mark.parametrize(("name", "pair"), [("emma", 1), ("emma", 3), ("a", 2)])
def test_the_vectors_are_those_of_the_pair(name: str, pair: int) -> None:
    tokenizer, weights = start()
    tokens = tokenizer.document(name)
    token, target = tokens[pair - 1], tokens[pair]
    result = by_hand(name, pair, "untrained")
    assert (result["token"], result["target"]) == (token, target)
    signs = ["BOS", *name, "BOS"]
    assert result["pairs"] == [f"{a} → {b}" for a, b in pairwise(signs)]
    x = weights["wte"][token]
    hidden = step1.linear(x, weights["fc1"])
    p = step1.softmax(step1.forward(token, weights))
    assert written(result, "x") == pytest.approx(x, rel=1e-3)
    assert written(result, "hidden") == pytest.approx(hidden, rel=1e-3)
    assert written(result, "activated") == pytest.approx(
        [max(0.0, h) for h in hidden], rel=1e-3
    )
    assert written(result, "probabilities") == pytest.approx(p, rel=1e-3)
    slopes = [(p[i] - (i == target)) / (len(tokens) - 1) for i in range(len(p))]
    assert written(result, "d_logits") == pytest.approx(slopes, rel=1e-3)


def test_slopes_of_hidden_units_and_of_x_are_those_that_nudges_find() -> None:
    """The loss of the pair, from a moved vector on."""
    tokenizer, weights = start()
    tokens = tokenizer.document("emma")
    result = by_hand("emma", 2, "untrained")
    x = weights["wte"][tokens[1]]

    def loss_of_hidden(hidden: list[float]) -> float:
        activated = [max(0.0, h) for h in hidden]
        p = step1.softmax(step1.linear(activated, weights["fc2"]))
        return -math.log(p[tokens[2]]) / 5

    def loss_of_x(x: list[float]) -> float:
        return loss_of_hidden(step1.linear(x, weights["fc1"]))

    hidden = step1.linear(x, weights["fc1"])
    for name, loss, vector in (
        ("d_x", loss_of_x, x),
        ("d_hidden", loss_of_hidden, hidden),
    ):
        for i, slope in enumerate(written(result, name)):
            up, down = vector[:], vector[:]
            up[i] += 1e-6
            down[i] -= 1e-6
            assert (loss(up) - loss(down)) / 2e-6 == pytest.approx(
                slope, rel=1e-3, abs=1e-7
            )


@pytest.mark.parametrize("network", ["untrained", "trained"])
def test_pair_by_pair_the_gradient_grows_to_that_of_the_name(network: Any) -> None:
    tokenizer, weights = start()
    weights = trained_weights() if network == "trained" else weights
    tokens = tokenizer.document("anna")
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
    (function,) = result["functions"]
    for line in function["lines"]:
        assert source[line["number"] - first].rstrip() == line["text"].rstrip()
    lines = [step["line"] for step in result["steps"]]
    assert lines == sorted(set(lines))
    texts = [source[line - first].strip() for line in lines]
    assert texts[0].startswith("for token, target")
    assert texts[-1].startswith('gradient["wte"][token][j]')
    assert [s["wrote"] for s in result["steps"]] == [
        *("", "x", "hidden", "activated", "probabilities", "d_logits", "d_logits"),
        *("d_activated", "d_hidden", "d_x", ""),
    ]
    for step, text in zip(result["steps"], texts, strict=True):
        assert step["says"].endswith(".")
        if step["wrote"]:
            assert text.startswith(step["wrote"])
    matrices = [s["matrix"] for s in result["steps"] if s["matrix"]]
    assert matrices == ["fc2", "fc1", "wte"]


def test_the_words_have_the_numbers() -> None:
    result = by_hand("emma", 2, "untrained")
    says = {step["line"]: step["says"] for step in result["steps"]}.values()
    text = " ".join(says)
    _, weights = start()
    p = step1.softmax(step1.forward(result["token"], weights))[result["target"]]
    assert f"{p:.4g} / 5 = {p / 5:.4g}" in text
    assert f"{p / 5:.4g} − 0.2 = −{0.2 - p / 5:.4g}" in text
    open_units = sum(h > 0 for h in written(result, "hidden"))
    assert f"{open_units} are above 0" in text
    assert f"{64 - open_units} hidden units were not above 0" in text
    assert f"ReLU lets {open_units} numbers through" in text
    assert f"puts 0 for the other {64 - open_units}." in text
    assert f"softmax makes probabilities. “m” gets {p:.4g}." in text
    assert "x is the embedding of “e”: the 16 numbers" in text
    assert "Pair 2 of 5: after “e” comes “m”." in text
    again = by_hand("emma", 4, "untrained")["steps"][-1]["says"]
    assert "on top of what it brought before" in again
    for pair in (1, 2, 3, 5):
        once = by_hand("emma", pair, "untrained")["steps"][-1]["says"]
        assert "on top of" not in once


def test_what_a_page_carries_is_small_and_plain() -> None:
    for name, pair in (("emma", 2), ("abcdefghijklmnop", 17)):
        text = json.dumps(by_hand(name, pair, "trained"), allow_nan=False)
        assert len(text) < 40_000


@pytest.mark.parametrize(
    ("name", "pair", "reason"),
    [
        ("", 1, "one letter or more"),
        ("  ", 1, "one letter or more"),
        ("zoë", 1, "does not know the character 'ë'"),
        ("anna-lena", 1, "does not know the character '-'"),
        ("a" * 17, 1, "at most 16 letters"),
        ("Emma", 1, "type 'emma'"),
        ("emma", 6, "choose from 1 to 5"),
        ("emma", 0, "choose from 1 to 5"),
        ("emma", 1.5, "a whole number"),
        ("emma", math.nan, "a whole number"),
    ],
)
def test_what_is_no_pair_of_a_name_is_refused(
    name: str, pair: float, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        by_hand(name, pair, "untrained")


def test_another_gradient_is_another_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the program: what is shown is broken, too."""

    def no_way_back(
        d_output: list[float],
        x: list[float],
        weight: list[list[float]],
        d_weight: list[list[float]],
    ) -> list[float]:
        return [0.0] * len(x)

    monkeypatch.setattr(step1, "linear_backward", no_way_back)
    result = by_hand("emma", 2, "untrained")
    assert set(written(result, "d_x")) == {0.0}
    assert not any(d for row in result["matrices"][2]["after"] for d in row)
