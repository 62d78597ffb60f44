"""Both losses are those of the programs, and the floats between them are counted."""

from __future__ import annotations

import json
import math
import struct
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from microgpt import Value
from snippets import step1, step2
from tests.snippets.conftest import Start
from tests.thorough import nightly
from widgets.two_losses.model import TwoLosses, two_losses

DATA = Path(__file__).parents[2] / "docs/data"


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
    assert result["hand"] == Start(step1).losses(60)
    assert result["graph"] == Start(step2).losses(60)


@pytest.mark.parametrize(("name", "of"), [("step1", "hand"), ("step2", "graph")])
def test_the_losses_are_the_recorded_ones(name: str, of: str) -> None:
    recorded = json.loads((DATA / f"{name}.json").read_text())
    assert run(60)[of] == pytest.approx(recorded[:60], rel=5e-6)  # type: ignore[literal-required]


def test_units_in_the_last_place_count_the_floats_between() -> None:
    result = run(60)
    pairs = list(zip(result["hand"], result["graph"], strict=True))
    assert result["apart"] == [place(graph) - place(hand) for hand, graph in pairs]
    assert result["ulp"] == [
        math.nextafter(min(pair), math.inf) - min(pair) for pair in pairs
    ]
    assert result["equal"] == sum(hand == graph for hand, graph in pairs)
    assert result["furthest"] == max(map(abs, result["apart"]))


def test_the_differences_are_a_few_units_and_not_all_zero() -> None:
    result = run(60)
    assert 0 < result["furthest"] <= 8
    assert 0 < result["equal"] < 60
    assert {math.copysign(1, x) for x in result["apart"] if x} == {1, -1}


@nightly
def test_the_differences_do_not_grow_in_the_whole_run() -> None:
    result = run(1000)
    assert result["furthest"] <= 8
    assert max(result["weights"]) < 1e-14


def test_the_weights_drift_apart_slowly() -> None:
    hand, graph = Start(step1), Start(step2)
    hand.losses(60), graph.losses(60)
    furthest = max(
        abs(twin.data - weight)
        for name, matrix in hand.weights.items()
        for row, twins in zip(matrix, graph.weights[name], strict=True)
        for weight, twin in zip(row, twins, strict=True)
    )
    result = run(60)
    assert result["weights"][-1] == pytest.approx(furthest, rel=0.1)
    assert 0 < result["weights"][0] < result["weights"][-1] < 1e-14


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


def test_another_seed_is_another_run() -> None:
    assert run(3, seed=1)["hand"] != run(3, seed=2)["hand"]


def test_results_grow_step_by_step() -> None:
    lengths = [len(result["hand"]) for result in two_losses(25, 42, "right")]
    assert lengths == [10, 20, 25]


@pytest.mark.parametrize(
    ("steps", "seed", "relu", "reason"),
    [
        (1, 42, "right", "steps"),
        (1001, 42, "right", "steps"),
        (math.nan, 42, "right", "steps"),
        (10, 0.5, "right", "seed"),
        (10, 42, "left", "ReLU"),
    ],
)
def test_what_makes_no_run_is_refused(
    steps: Any, seed: Any, relu: str, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        run(steps, seed, relu)
