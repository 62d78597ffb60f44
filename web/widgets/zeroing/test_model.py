"""The two runs are those of the page's own block, and what they hold is true."""

from __future__ import annotations

import math
from functools import cache

import pytest
import yaml

from microgpt import SGD, linear_decay
from snippets import step2
from tests.models import Start, assert_json, fences, refusals, shuffled
from widgets.zeroing.model import Zeroing, zeroing

PAGE = "autograd/training-loop.md"


@cache
def run(rate: float, seed: int = 42, steps: int = 30) -> Zeroing:
    *_, result = zeroing(rate, seed, steps)
    return result


def expected(zeroes: bool) -> dict[str, list[float]]:
    """Train once more; follow the loss and the embedding of the letter a."""
    start = Start(step2)
    optimizer = SGD(step2.parameters(start.weights))
    watched = start.weights["wte"][0][0]
    followed: dict[str, list[float]] = {"loss": [], "value": [], "held": [], "grad": []}
    for step, name in enumerate(start.names[:30]):
        followed["value"].append(watched.data)
        followed["held"].append(watched.grad)
        loss = step2.mean_loss(start.tokenizer.document(name), start.weights)
        loss.backward()
        followed["loss"].append(loss.data)
        followed["grad"].append(watched.grad)
        optimizer.step(linear_decay(0.3, step, 1000))
        if zeroes:
            optimizer.zero_grad()
    return followed


def test_the_runs_at_first_are_those_of_the_page_s_block() -> None:
    (widget,) = fences(PAGE, "widget")
    *_, shown = zeroing(**yaml.safe_load(widget.partition("\n")[2]))
    lines = [
        f"lowest {of['lowest']:.2f}, highest {of['highest']:.2f}"
        for of in (shown["zeroed"], shown["kept"])
    ]
    assert lines in [printed.splitlines() for printed in fences(PAGE, "text")]


@pytest.mark.parametrize("zeroes", [True, False])
def test_a_parameter_is_followed_through_both_runs(zeroes: bool) -> None:
    shown = run(0.3)["zeroed" if zeroes else "kept"]
    true = expected(zeroes)
    assert shown["losses"] == pytest.approx(true["loss"], rel=1e-5)
    assert shown["values"][0] == pytest.approx(true["value"], rel=1e-3)
    assert shown["held"][0] == pytest.approx(true["held"], rel=1e-3)
    assert shown["grads"][0] == pytest.approx(true["grad"], rel=1e-3)


def test_zeroed_gradients_hold_one_name_and_kept_ones_all_so_far() -> None:
    result = run(0.3)
    assert not any(x for held in result["zeroed"]["held"] for x in held)
    assert result["zeroed"]["grads"] == result["zeroed"]["added"]
    for held, grads, zeroed in zip(
        result["kept"]["held"],
        result["kept"]["grads"],
        result["zeroed"]["grads"],
        strict=True,
    ):
        assert held == [0, *grads[:-1]]
        assert grads[0] == zeroed[0]
    assert result["zeroed"]["losses"][:2] == result["kept"]["losses"][:2]


def test_results_grow_with_the_names_that_the_steps_learn_from() -> None:
    results = [[*result["names"]] for result in zeroing(0.3, 7, 12)]
    assert results == [[*shuffled(7)[:count]] for count in (5, 10, 12)]


def test_at_the_rate_of_train_the_run_without_zeroing_ends_as_on_the_page() -> None:
    result = run(1.0, steps=40)
    assert len(result["zeroed"]["losses"]) == 40
    assert len(result["kept"]["losses"]) == 30
    assert "has no logarithm" in result["kept"]["end"]
    assert result["zeroed"]["end"] == ""


@pytest.mark.parametrize("rate", [1e-300, 50.0, 1e3, 1e150, 1e300, 1.7e308])
def test_any_rate_gives_what_json_can_hold(rate: float) -> None:
    result = run(rate, steps=12)
    assert_json(result)
    for of in (result["zeroed"], result["kept"]):
        finite = [x for x in of["losses"] if isinstance(x, float)]
        assert (of["lowest"], of["highest"]) == (min(finite), max(finite))
        assert (of["end"] == "") == (len(of["losses"]) == 12)


test_what_makes_no_run_is_refused = refusals(
    zeroing,
    {"rate": 0.3, "seed": 42, "steps": 10},
    ({"rate": 0.0}, "learning rate"),
    ({"rate": -1.0}, "learning rate"),
    ({"rate": math.nan}, "learning rate"),
    ({"rate": math.inf}, "learning rate"),
    ({"seed": -1}, "seed"),
    ({"seed": 1.5}, "seed"),
    ({"seed": math.nan}, "seed"),
    ({"steps": 1}, "steps"),
    ({"steps": 1e9}, "steps"),
    ({"steps": math.inf}, "steps"),
)
