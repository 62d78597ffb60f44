"""Both paths are those of SGD and Adam, and the lines of the valley are of equal loss."""

from __future__ import annotations

import math

import pytest

from microgpt import Value
from tests.models import assert_json, refusals
from widgets.race.model import START, STEPS, race, valley

PAGE = (0.038, 0.2, 50.0)
DIAGONAL = math.sqrt(0.5)


def slopes(x: float, y: float, steepness: float, turned: bool) -> tuple[float, float]:
    """Return the gradient, worked out by hand."""
    if not turned:
        return x, steepness * y
    along, across = (x + y) * DIAGONAL, steepness * (y - x) * DIAGONAL
    return (along - across) * DIAGONAL, (along + across) * DIAGONAL


def begin(turned: bool) -> list[float]:
    along, across = START
    if not turned:
        return [along, across]
    return [(along - across) * DIAGONAL, (along + across) * DIAGONAL]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("steepness", [1.0, 30.0, 50.0])
def test_sgd_takes_the_steps_of_its_formula(steepness: float, turned: bool) -> None:
    at = begin(turned)
    for point in race(0.03, 0.2, steepness, turned)["sgd"]["points"]:
        assert point == pytest.approx(at, rel=1e-3, abs=1e-9)
        slope = slopes(at[0], at[1], steepness, turned)
        at = [x - 0.03 * d for x, d in zip(at, slope)]


@pytest.mark.parametrize("turned", [False, True])
def test_adam_takes_the_steps_of_its_formula(turned: bool) -> None:
    at, grads = begin(turned), []
    for t, point in enumerate(race(0.03, 0.2, 50.0, turned)["adam"]["points"], 1):
        assert point == pytest.approx(at, rel=2e-3, abs=1e-6)
        grads.append(slopes(at[0], at[1], 50.0, turned))
        for i in (0, 1):
            ages = [(t - s, g[i]) for s, g in enumerate(grads, 1)]
            mean = math.fsum(0.15 * 0.85**age * g for age, g in ages) / (1 - 0.85**t)
            square = math.fsum(0.01 * 0.99**age * g**2 for age, g in ages)
            at[i] -= 0.2 * mean / (math.sqrt(square / (1 - 0.99**t)) + 1e-8)


@pytest.mark.parametrize("turned", [False, True])
def test_contours_and_losses_are_those_of_the_valley(turned: bool) -> None:
    result = race(*PAGE, turned)
    assert len(result["contours"]) == 12
    marked = [
        (point, contour["loss"])
        for contour in result["contours"]
        for point in contour["points"]
    ]
    for path in (result["sgd"], result["adam"]):
        marked += zip(path["points"], path["losses"], strict=True)
    for (x, y), loss in marked:
        true = valley(Value(x), Value(y), 50.0, turned=turned).data
        assert loss == pytest.approx(true, rel=0.02, abs=1e-4)


def test_on_the_page_adam_is_far_ahead_and_in_the_turned_valley_behind() -> None:
    straight, turned = race(*PAGE, False), race(*PAGE, True)
    assert straight["sgd"]["losses"][-1] > 20 * straight["adam"]["losses"][-1]
    assert turned["sgd"]["losses"] == pytest.approx(straight["sgd"]["losses"], rel=1e-3)
    assert turned["adam"]["losses"][-1] > 20 * turned["sgd"]["losses"][-1]


@pytest.mark.parametrize("steepness", [10.0, 50.0, 100.0])
def test_sgd_explodes_above_the_limit_and_arrives_below(steepness: float) -> None:
    limit = 2 / steepness
    below, at, above = (
        race(times * limit, 0.2, steepness, False)["sgd"] for times in (0.95, 1, 1.4)
    )
    assert below["losses"][-1] < below["losses"][0]
    across = [abs(y) for _, y in at["points"]]
    assert across == pytest.approx([START[1]] * (STEPS + 1))
    assert above["exploded"]
    assert "explodes" in above["end"]
    assert f"After {len(above['points']) - 1} steps" in above["end"]
    far = [math.hypot(*point) for point in above["points"]]
    assert max(far[:-1]) <= 1e6 < far[-1]


def test_what_is_said_of_a_path_is_so() -> None:
    result = race(*PAGE, False)
    assert result["sgd"]["end"].startswith("SGD is at a loss of ")
    losses = result["adam"]["losses"]
    below = [loss < losses[0] / 1000 for loss in losses]
    since = 1 + max(step for step, low in enumerate(below) if not low)
    for words in (
        f"Adam is at a loss of {losses[-1]:.3g} after {STEPS} steps",
        f"from step {since} on",
    ):
        assert words in result["adam"]["end"]
    climbing = race(0.0405, 0.2, 50.0, False)["sgd"]
    assert not climbing["exploded"]
    last = climbing["losses"][-1]
    assert last > climbing["losses"][0]
    assert climbing["end"] == (
        f"SGD climbs: its steps overshoot, and the loss rises to {last:.3g}."
    )


@pytest.mark.parametrize("rate", [1e-300, 0.001, 0.5, 1.0])
@pytest.mark.parametrize("steepness", [1.0, 100.0])
def test_any_rate_gives_what_json_can_hold(rate: float, steepness: float) -> None:
    result = race(rate, rate, steepness, True)
    assert_json(result)
    assert not result["adam"]["exploded"]


test_what_makes_no_race_is_refused = refusals(
    race,
    {"sgd_rate": 0.1, "adam_rate": 0.2, "steepness": 50.0, "turned": False},
    ({"sgd_rate": 0.0}, "rate of SGD"),
    ({"sgd_rate": 1.5}, "rate of SGD"),
    ({"sgd_rate": math.nan}, "rate of SGD"),
    ({"adam_rate": -1.0}, "rate of Adam"),
    ({"adam_rate": math.inf}, "rate of Adam"),
    ({"steepness": 0.5}, "steepness"),
    ({"steepness": 101.0}, "steepness"),
    ({"steepness": math.nan}, "steepness"),
)
