"""Both losses are those of the programs, and the floats between them are counted."""

from __future__ import annotations

import math
import struct
from functools import cache
from typing import Any

import pytest

from microgpt import Value
from snippets import step1, step2
from tests.models import Start, refusals
from tests.thorough import nightly
from widgets.two_losses.model import TwoLosses, two_losses


@cache
def run(steps: int = 40, seed: int = 42, relu: Any = "right") -> TwoLosses:
    *_, result = two_losses(steps, seed, relu)
    return result


def place(x: float) -> int:
    """Number the positive floats, each one more than the one below it."""
    (number,) = struct.unpack("<q", struct.pack("<d", x))
    return int(number)


def test_the_losses_are_those_of_the_programs_to_the_last_bit() -> None:
    result = run(60)
    hand, graph = Start(step1), Start(step2)
    assert result["hand"] == hand.losses(60)
    assert result["graph"] == graph.losses(60)
    furthest = max(
        abs(twin.data - weight)
        for name, matrix in hand.weights.items()
        for row, twins in zip(matrix, graph.weights[name], strict=True)
        for weight, twin in zip(row, twins, strict=True)
    )
    assert result["weights"][-1] == pytest.approx(furthest, rel=0.1)
    assert 0 < result["weights"][0] < result["weights"][-1] < 1e-14


def test_units_in_the_last_place_count_the_floats_between() -> None:
    result = run(60)
    pairs = list(zip(result["hand"], result["graph"], strict=True))
    assert result["apart"] == [place(graph) - place(hand) for hand, graph in pairs]
    assert result["ulp"] == [
        math.nextafter(min(pair), math.inf) - min(pair) for pair in pairs
    ]
    assert result["equal"] == sum(hand == graph for hand, graph in pairs)
    assert result["furthest"] == max(map(abs, result["apart"]))
    # as the page says: a few units, and not all zero
    assert 0 < result["furthest"] <= 8
    assert 0 < result["equal"] < 60
    assert {math.copysign(1, x) for x in result["apart"] if x} == {1, -1}


@nightly
def test_the_differences_do_not_grow_in_the_whole_run() -> None:
    result = run(1000)
    assert result["furthest"] <= 8
    assert max(result["weights"]) < 1e-14


def test_a_wrong_relu_shows_in_the_digits_from_the_second_step_on() -> None:
    right = Value.relu
    result = run(60, relu="wrong")
    assert Value.relu is right
    assert result["hand"] == run(60)["hand"]
    assert abs(result["apart"][0]) <= 8
    assert min(map(abs, result["apart"][1:])) > 1e9
    # and yet nobody would see it
    gaps = [abs(a - b) for a, b in zip(result["hand"], result["graph"], strict=True)]
    assert max(gaps[:30]) < 0.03


def test_floats_are_counted_across_a_power_of_two_where_they_grow_sparse() -> None:
    result = run(80, relu="wrong")
    hand, graph = result["hand"][78], result["graph"][78]
    assert graph < 2 < hand
    assert result["apart"][78] == place(graph) - place(hand)


def test_relu_is_right_again_when_a_run_is_given_up() -> None:
    right = Value.relu
    given_up = two_losses(40, 42, "wrong")
    next(given_up)
    given_up.close()  # type: ignore[attr-defined]
    assert Value.relu is right
    assert Value(-1.0).relu()._local_grads == (0.0,)


def test_results_grow_step_by_step_and_another_seed_is_another_run() -> None:
    lengths = [len(result["hand"]) for result in two_losses(25, 42, "right")]
    assert lengths == [10, 20, 25]
    assert run(3, seed=1)["hand"] != run(3, seed=2)["hand"]


test_what_makes_no_run_is_refused = refusals(
    two_losses,
    {"steps": 10, "seed": 42, "relu": "right"},
    ({"steps": 1}, "steps"),
    ({"steps": 1001}, "steps"),
    ({"steps": math.nan}, "steps"),
    ({"seed": 0.5}, "seed"),
    ({"relu": "left"}, "ReLU"),
)
