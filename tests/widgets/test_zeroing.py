"""The two runs are those of the page's own block, and what they hold is true."""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from weave.widgets import read_widget

from microgpt import SGD, Tokenizer, linear_decay, load_names
from snippets.step2 import initial_weights, mean_loss, parameters
from weave.page import Page, read_page
from widgets.zeroing.model import Zeroing, ZeroingRun, zeroing

ROOT = Path(__file__).parents[2]
PAGE = Path("docs/autograd/training-loop.md")


@cache
def run(rate: float, seed: int = 42, steps: int = 30) -> Zeroing:
    *_, result = zeroing(rate, seed, steps)
    return result


@pytest.fixture(scope="module")
def page() -> Page:
    return read_page(PAGE, (ROOT / PAGE).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def of_the_page(page: Page) -> Zeroing:
    """What the widget of the page shows at first."""
    (fence,) = (f for f in page.fences if f.language == "widget")
    *_, result = zeroing(**read_widget(page, fence).parameters)
    return result


def expected(
    rate: float, seed: int, steps: int, zeroes: bool
) -> dict[str, list[float]]:
    """Train once more; follow the loss and the embedding of the letter a."""
    rng = random.Random(seed)
    names = load_names()
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    weights = initial_weights(tokenizer.vocab_size, rng)
    optimizer = SGD(parameters(weights))
    watched = weights["wte"][tokenizer.characters.index("a")][0]
    followed: dict[str, list[float]] = {"loss": [], "value": [], "held": [], "grad": []}
    for step in range(steps):
        followed["value"].append(watched.data)
        followed["held"].append(watched.grad)
        loss = mean_loss(tokenizer.document(names[step]), weights)
        loss.backward()
        followed["loss"].append(loss.data)
        followed["grad"].append(watched.grad)
        optimizer.step(linear_decay(rate, step, 1000))
        if zeroes:
            optimizer.zero_grad()
    return followed


def test_the_runs_at_first_are_those_of_the_page_s_block(
    page: Page, of_the_page: Zeroing
) -> None:
    (block,) = (b for b in page.blocks if "def losses(zeroing" in b.fence.text)
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(block.fence.text, names)  # noqa: S102  (the page's own)
    for series, of in (("zeroed", "zeroed"), ("forgot", "kept")):
        shown = of_the_page[of]["losses"]  # type: ignore[literal-required]
        assert shown == pytest.approx(names[series], rel=1e-5)


@pytest.mark.parametrize("zeroes", [True, False])
def test_a_parameter_is_followed_through_both_runs(zeroes: bool) -> None:
    shown: ZeroingRun = run(0.3)["zeroed" if zeroes else "kept"]
    true = expected(0.3, 42, 30, zeroes)
    assert shown["losses"] == pytest.approx(true["loss"], rel=1e-5)
    assert shown["values"][0] == pytest.approx(true["value"], rel=1e-3)
    assert shown["held"][0] == pytest.approx(true["held"], rel=1e-3)
    assert shown["grads"][0] == pytest.approx(true["grad"], rel=1e-3)


def test_zeroed_gradients_hold_one_name_and_kept_ones_all_so_far() -> None:
    result = run(0.3)
    for zeroed in result["zeroed"]["held"]:
        assert set(zeroed) == {0.0}
    assert result["zeroed"]["grads"] == result["zeroed"]["added"]
    for held, grads in zip(
        result["kept"]["held"], result["kept"]["grads"], strict=True
    ):
        assert held[0] == 0
        assert held[1:] == grads[:-1]


def test_both_runs_start_alike() -> None:
    result = run(0.3, steps=2)
    for zeroed, kept in zip(
        result["zeroed"]["grads"], result["kept"]["grads"], strict=True
    ):
        assert zeroed[0] == kept[0]
    assert result["zeroed"]["losses"][:2] == result["kept"]["losses"][:2]


def test_the_names_are_those_that_the_steps_learn_from() -> None:
    names = load_names()
    random.Random(7).shuffle(names)
    assert run(0.3, seed=7, steps=5)["names"] == names[:5]


def test_at_the_rate_of_train_the_run_without_zeroing_ends_as_on_the_page() -> None:
    result = run(1.0, steps=40)
    assert len(result["zeroed"]["losses"]) == 40
    assert len(result["kept"]["losses"]) == 30
    assert "has no logarithm" in result["kept"]["end"]
    assert result["zeroed"]["end"] == ""


@pytest.mark.parametrize("rate", [1e-300, 50.0, 1e3, 1e150, 1e300, 1.7e308])
def test_any_rate_gives_what_json_can_hold(rate: float) -> None:
    result = run(rate, steps=12)
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    for of in (result["zeroed"], result["kept"]):
        finite = [x for x in of["losses"] if isinstance(x, float)]
        assert (of["lowest"], of["highest"]) == (min(finite), max(finite))
        assert (of["end"] == "") == (len(of["losses"]) == 12)


def test_results_grow_step_by_step() -> None:
    lengths = [len(result["names"]) for result in zeroing(0.3, 42, 12)]
    assert lengths == [5, 10, 12]


@pytest.mark.parametrize(
    ("rate", "seed", "steps", "reason"),
    [
        (0.0, 42, 10, "learning rate"),
        (-1.0, 42, 10, "learning rate"),
        (math.nan, 42, 10, "learning rate"),
        (math.inf, 42, 10, "learning rate"),
        (0.3, -1, 10, "seed"),
        (0.3, 1.5, 10, "seed"),
        (0.3, math.nan, 10, "seed"),
        (0.3, 42, 1, "steps"),
        (0.3, 42, 1e9, "steps"),
        (0.3, 42, math.inf, "steps"),
    ],
)
def test_what_makes_no_run_is_refused(
    rate: float, seed: Any, steps: Any, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        run(rate, seed, steps)
