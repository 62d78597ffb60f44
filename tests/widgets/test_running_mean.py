"""The mean that is shown is Adam's own, and what is said of it follows from its weights."""

from __future__ import annotations

import json
import math
import random
from itertools import islice, pairwise
from typing import Any

import pytest

from microgpt import GPT, Adam, Config, load_names
from snippets import step5
from widgets._names import shuffled_names, tokenizer_of_the_names
from widgets.running_mean.model import STEPS, gradients, running_mean

SERIES = ("jump", "noise", "gradient")
BETAS = (0.0, 0.5, 0.85, 0.9, 0.99)


@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize("beta", BETAS)
def test_the_mean_is_the_sum_of_all_gradients_so_far_each_with_its_weight(
    beta: float, series: Any
) -> None:
    shown = running_mean(beta, series, True)
    true = gradients(series)
    assert shown["values"] == pytest.approx(true, rel=1e-3)
    for t in range(1, STEPS + 1):
        weights = [(1 - beta) * beta ** (t - i) for i in range(1, t + 1)]
        mean = math.fsum(w * x for w, x in zip(weights, true))
        assert shown["mean"][t - 1] == pytest.approx(mean, rel=1e-3, abs=1e-12)
        assert shown["share"][t - 1] == pytest.approx(math.fsum(weights), rel=1e-3)
        corrected = mean / math.fsum(weights)
        assert shown["corrected"][t - 1] == pytest.approx(
            corrected, rel=1e-3, abs=1e-12
        )


def test_the_corrected_mean_of_one_gradient_is_that_gradient() -> None:
    for beta in BETAS:
        result = running_mean(beta, "noise", True)
        assert result["corrected"][0] == result["values"][0]


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
    assert results[0]["mean_moves"] == results[0]["series_moves"]
    assert STEPS == 100
    for result in results:
        for moves, series in (("series_moves", "values"), ("mean_moves", "mean")):
            numbers = result[series]  # type: ignore[literal-required]
            mean = sum(abs(b - a) for a, b in pairwise(numbers)) / 99
            stated = result[moves]  # type: ignore[literal-required]
            assert stated == pytest.approx(mean, rel=0.006)


def test_the_jump_is_half_way_and_as_high_as_said() -> None:
    values = gradients("jump")
    before, after = values[: STEPS // 2], values[STEPS // 2 :]
    assert sum(before) / len(before) == pytest.approx(1, abs=0.25)
    assert sum(after) / len(after) == pytest.approx(-1, abs=0.25)


def test_the_real_gradient_is_that_of_the_program_s_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(42)
    rng.shuffle(load_names())
    tokenizer = tokenizer_of_the_names()
    model = GPT(Config(vocab_size=tokenizer.vocab_size), rng)
    watched = model.weights["lm_head"][0][0]
    found: list[float] = []
    step = Adam.step

    def watch(self: Adam, rate: float) -> None:
        found.append(watched.grad)
        step(self, rate)

    monkeypatch.setattr(Adam, "step", watch)
    run = step5.train(list(shuffled_names()), tokenizer, model)
    for _ in islice(run, 12):
        pass
    monkeypatch.undo()
    assert gradients("gradient")[:12] == pytest.approx(found, rel=1e-9)


def test_results_are_what_json_can_hold() -> None:
    for series in SERIES:
        result = running_mean(0.99, series, True)  # type: ignore[arg-type]
        assert json.loads(json.dumps(result, allow_nan=False)) == result


@pytest.mark.parametrize("beta", [-0.1, 0.995, 1.0, math.nan, math.inf])
def test_a_beta_that_makes_no_mean_is_refused(beta: float) -> None:
    with pytest.raises(ValueError, match="β: choose from 0 to"):
        running_mean(beta, "jump", False)


def test_another_series_is_refused() -> None:
    series: Any = "tides"
    with pytest.raises(ValueError, match="series: choose"):
        running_mean(0.85, series, False)
