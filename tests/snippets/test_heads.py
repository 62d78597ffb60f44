"""What the heads of trained models are worth is what models trained anew say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microgpt import load_model
from tests.snippets import quick
from tests.snippets.record import SEEDS
from tests.thorough import nightly, thorough

RECORDED = Path(__file__).parents[2] / "docs/data/heads.json"
HELD_OUT = RECORDED.with_name("held-out.json")


@pytest.fixture(scope="module")
def recorded() -> Any:
    return json.loads(RECORDED.read_text())


@thorough
def test_the_model_of_the_package_read_as_one_head_has_the_recorded_loss(
    recorded: Any,
) -> None:
    run = quick.Quick("step5", num_steps=0)
    loss = quick.with_model(run, 1, load_model()[0].weights).held_out()
    assert recorded["read"]["step5"]["one"] == pytest.approx(loss, rel=5e-6)


@nightly
def test_the_record_of_what_heads_are_worth_is_found_again(recorded: Any) -> None:
    assert list(recorded["read"]) == ["step4", "step5"]
    assert list(recorded["trained"]) == [str(seed) for seed in SEEDS]
    found = quick.heads(SEEDS)
    for step, losses in found["read"].items():
        assert recorded["read"][step] == pytest.approx(losses, rel=5e-6)
    for seed, losses in found["trained"].items():
        assert recorded["trained"][seed] == pytest.approx(losses, rel=5e-6)


def test_the_record_agrees_with_the_held_out_losses(recorded: Any) -> None:
    held_out = json.loads(HELD_OUT.read_text())
    for step, losses in recorded["read"].items():
        assert losses["four"] == held_out[step]
    assert recorded["trained"]["42"]["four"] == held_out["step4"]


def test_heads_that_look_everywhere_alike_are_one_head(recorded: Any) -> None:
    """What the page on training with four heads says."""
    read, trained = recorded["read"], recorded["trained"]
    four = read["step4"]["four"]
    assert read["step4"]["one"] == pytest.approx(four, abs=5e-4)
    assert read["step4"]["equal"] == pytest.approx(four, abs=5e-4)
    assert read["step5"]["one"] > read["step5"]["four"] + 0.005
    assert read["step5"]["equal"] > read["step5"]["four"]
    apart = [abs(losses["one"] - losses["four"]) for losses in trained.values()]
    all_four = [losses["four"] for losses in trained.values()]
    assert 20 * max(apart) < max(all_four) - min(all_four)
