"""Both runs are those of the programs, and the held-out loss is that of the names."""

from __future__ import annotations

import json
import math
import random
from functools import cache

import pytest

from microgpt import linear_decay, load_names
from snippets import step0, step1
from tests.models import Start, assert_json, document, refusals
from tests.thorough import thorough
from widgets.train_here import model as module
from widgets.train_here.model import RECORDED, TrainHere, train_here


@cache
def run(steps: float = 110, rate: float = 1.0, seed: float = 42) -> TrainHere:
    *_, result = train_here(steps, rate, seed)
    return result


class Trained:
    """Both models after some steps, as the programs train them."""

    def __init__(self, steps: int, rate: float = 1.0, seed: int = 42, of: int = 110):
        self.table, self.start = Start(step0), Start(step1, seed=seed)
        self.names = self.start.names
        learnt = self.names[:steps]
        tokenizer, weights = self.start.tokenizer, self.start.weights
        counts = self.table.weights
        self.counting = [*step0.train(learnt, tokenizer, counts, len(learnt))]
        self.network = [
            step1.train_step(document(name), weights, linear_decay(rate, step, of))
            for step, name in enumerate(learnt)
        ]

    def held_out(self) -> tuple[float, float]:
        """Return the loss per token of both, on the names that they have not seen."""
        documents = [*map(document, self.names[1000:])]
        count = sum(len(tokens) - 1 for tokens in documents)
        counting, network = (
            math.fsum(
                start.program.mean_loss(tokens, start.weights) * (len(tokens) - 1)
                for tokens in documents
            )
            for start in (self.table, self.start)
        )
        return counting / count, network / count


@thorough
@pytest.mark.parametrize(("rate", "seed"), [(1.0, 42), (0.3, 7)])
def test_the_losses_are_those_of_the_programs(rate: float, seed: int) -> None:
    result = run(110, rate, seed)
    trained = Trained(110, rate, seed)
    assert result["counting"] == pytest.approx(trained.counting, abs=6e-4)
    assert result["network"] == pytest.approx(trained.network, abs=6e-4)
    assert result["network_mean"][0] == result["network"][0]
    assert result["network_mean"][109] == pytest.approx(
        sum(trained.network[60:]) / 50, abs=6e-4
    )
    assert result["counting_mean"][30] == pytest.approx(
        sum(trained.counting[:31]) / 31, abs=6e-4
    )


def test_at_rate_1_the_losses_are_those_that_train_yields() -> None:
    start = Start(step1)
    losses = step1.train(start.names, start.tokenizer, start.weights, 110)
    assert run()["network"] == pytest.approx(list(losses), abs=6e-4)


@thorough
@pytest.mark.parametrize("look", [0, 1, 2])
def test_a_look_tells_the_loss_on_names_that_neither_has_seen(look: int) -> None:
    found = run()["looks"][look]
    trained = Trained(found["step"])
    assert run()["held_out"] == len(trained.names) - 1000
    losses = found["counting"], found["network"]
    assert losses == pytest.approx(trained.held_out(), abs=6e-5)
    rng = random.Random(42)
    start = trained.start
    assert found["samples"] == [
        step1.sample(start.weights, start.tokenizer, rng, 0.5) for _ in range(6)
    ]


def test_looks_are_taken_after_some_steps_and_at_the_end() -> None:
    assert [look["step"] for look in run()["looks"]] == [1, 100, 110]
    assert [look["step"] for look in run(100, 0.3)["looks"]] == [1, 100]


@thorough
def test_the_recorded_run_begins_as_the_program_does() -> None:
    (recorded,) = train_here(1000, 1, 42, recorded=True)
    assert recorded == json.loads(RECORDED.read_text())
    trained = Trained(100, of=1000)
    assert recorded["network"][:100] == pytest.approx(trained.network, abs=6e-4)
    assert recorded["counting"][:100] == pytest.approx(trained.counting, abs=6e-4)
    look = recorded["looks"][1]
    expected = trained.held_out()
    assert (look["counting"], look["network"]) == pytest.approx(expected, abs=6e-5)


@thorough
def test_the_recorded_run_is_what_training_gives() -> None:
    (recorded,) = train_here(1000, 1, 42, recorded=True)
    found = run(1000)
    assert (recorded["held_out"], recorded["end"]) == (found["held_out"], "")
    for key in ("counting", "network", "counting_mean", "network_mean"):
        expected = recorded[key]
        values = found[key]
        assert values == pytest.approx(expected, abs=1.1e-3)
    for look, kept in zip(found["looks"], recorded["looks"], strict=True):
        assert look["step"] == kept["step"]
        assert look["network"] == pytest.approx(kept["network"], abs=1.1e-4)
        assert look["counting"] == pytest.approx(kept["counting"], abs=1.1e-4)
        assert look["samples"] == kept["samples"]


def test_a_rate_that_is_too_large_ends_the_run_with_a_reason() -> None:
    result = run(300, 30.0)
    assert 0 < len(result["network"]) < 300
    assert "has no logarithm" in result["end"]
    assert_json(result)


@pytest.mark.parametrize("rate", [1e-300, 1e3, 1e300])
def test_any_rate_gives_what_json_can_hold(rate: float) -> None:
    result = run(10, rate)
    assert_json(result)


def test_results_grow_as_training_goes_on() -> None:
    lengths = [len(result["network"]) for result in train_here(50, 1, 42)]
    assert lengths == [20, 40, 50]


@thorough
def test_names_that_are_learnt_from_are_never_held_out() -> None:
    assert module.MOST_STEPS < len(load_names())
    (first, *_) = train_here(2000, 1, 42)
    assert first["held_out"] == len(load_names()) - 2000


test_what_makes_no_run_is_refused = refusals(
    train_here,
    {"steps": 10, "rate": 1.0, "seed": 42},
    ({"steps": 1}, "steps"),
    ({"steps": 3001}, "steps"),
    ({"steps": math.nan}, "steps"),
    ({"rate": 0.0}, "learning rate"),
    ({"rate": -1.0}, "learning rate"),
    ({"rate": math.inf}, "learning rate"),
    ({"seed": -1}, "seed"),
    ({"seed": 0.5}, "seed"),
)
