"""The mean that is shown is Adam's own, and what is said of it follows from its weights."""

import math
from itertools import islice, pairwise

import pytest

from microgpt import Adam
from snippets import step5
from snippets.records.runs import gradients_of_a
from tests.models import Start, assert_json, refusals
from widgets.running_mean.model import STEPS, Series, gradients, running_mean

SERIES: tuple[Series, ...] = ("jump", "noise", "gradient")
BETAS = (0.0, 0.5, 0.85, 0.9, 0.99)


@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize("beta", BETAS)
def test_the_mean_is_the_sum_of_all_gradients_so_far_each_with_its_weight(
    beta: float, series: Series
) -> None:
    shown = running_mean(beta, series, True)
    true = gradients(series)
    assert len(true) == STEPS == 100
    assert shown["values"] == pytest.approx(true, rel=1e-3)
    for t in range(1, STEPS + 1):
        weights = [(1 - beta) * beta ** (t - i) for i in range(1, t + 1)]
        mean = math.fsum(w * x for w, x in zip(weights, true))
        share = math.fsum(weights)
        for name, expected in (
            ("mean", mean),
            ("share", share),
            ("corrected", mean / share),
        ):
            found = shown[name][t - 1]  # type: ignore[literal-required]
            assert found == pytest.approx(expected, rel=1e-3, abs=1e-12)
    for moves, name in (("series_moves", "values"), ("mean_moves", "mean")):
        steps = pairwise(shown[name])  # type: ignore[literal-required]
        expected = sum(abs(b - a) for a, b in steps) / 99
        assert shown[moves] == pytest.approx(expected, rel=0.006)  # type: ignore[literal-required]
    assert_json(shown)


def test_what_is_not_asked_for_is_left_out() -> None:
    result = running_mean(0.85, "jump", False)
    assert (result["share"], result["corrected"]) == ([], [])


@pytest.mark.parametrize("beta", BETAS)
def test_weights_window_and_delay_follow_from_beta(beta: float) -> None:
    result = running_mean(beta, "jump", False)
    window = 1 / (1 - beta)
    assert result["newest"] == pytest.approx(1 - beta)
    assert result["window"] == pytest.approx(window, rel=0.01)
    assert result["held"] == pytest.approx(1 - beta ** round(window), abs=0.006)
    half = result["half"]
    assert 1 - beta**half >= 0.5
    assert half == 1 or 1 - beta ** (half - 1) < 0.5


def test_a_larger_beta_makes_the_mean_steadier_and_later() -> None:
    results = [running_mean(beta, "jump", False) for beta in BETAS]
    for smaller, larger in pairwise(results):
        assert smaller["mean_moves"] > larger["mean_moves"]
        assert smaller["half"] <= larger["half"]


def test_the_jump_is_half_way_and_as_high_as_said() -> None:
    values = gradients("jump")
    before, after = values[: STEPS // 2], values[STEPS // 2 :]
    assert sum(before) / len(before) == pytest.approx(1, abs=0.25)
    assert sum(after) / len(after) == pytest.approx(-1, abs=0.25)


def test_the_real_gradient_is_that_of_the_program_s_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert gradients("gradient") == pytest.approx(gradients_of_a(), rel=1e-9)
    start = Start(step5)
    watched = start.weights.weights["lm_head"][0][0]
    found: list[float] = []
    step = Adam.step

    def watch(self: Adam, rate: float) -> None:
        found.append(watched.grad)
        step(self, rate)

    monkeypatch.setattr(Adam, "step", watch)
    [*islice(step5.train(start.names, start.tokenizer, start.weights), 12)]
    monkeypatch.undo()
    assert gradients("gradient")[:12] == pytest.approx(found, rel=1e-9)


test_a_beta_or_a_series_that_makes_no_mean_is_refused = refusals(
    running_mean,
    {"beta": 0.85, "series": "jump", "corrected": False},
    ({"beta": -0.1}, "β: choose from 0 to"),
    ({"beta": 0.995}, "β: choose from 0 to"),
    ({"beta": math.nan}, "β: choose from 0 to"),
    ({"beta": math.inf}, "β: choose from 0 to"),
    ({"series": "tides"}, "series: choose"),
)
