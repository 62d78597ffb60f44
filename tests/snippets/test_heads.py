"""What the heads of trained models are worth is what models trained anew say."""

from typing import Any

import pytest

from snippets.records import runs
from snippets.records.record import SEEDS
from tests.models import recorded
from tests.thorough import nightly

HEADS: dict[str, Any] = recorded("heads")


@nightly
def test_the_record_of_what_heads_are_worth_is_found_again() -> None:
    assert list(HEADS["read"]) == ["step4", "step5"]
    assert list(HEADS["trained"]) == [str(seed) for seed in SEEDS]
    found = runs.heads(SEEDS)
    for step, losses in found["read"].items():
        assert HEADS["read"][step] == pytest.approx(losses, rel=5e-6)
    for seed, losses in found["trained"].items():
        assert HEADS["trained"][seed] == pytest.approx(losses, rel=5e-6)


def test_the_record_agrees_with_the_held_out_losses() -> None:
    held_out = recorded("held-out")
    for step, losses in HEADS["read"].items():
        assert losses["four"] == held_out[step]
    assert HEADS["trained"]["42"]["four"] == held_out["step4"]


def test_heads_that_look_everywhere_alike_are_one_head() -> None:
    """What the page on training with four heads says."""
    read, trained = HEADS["read"], HEADS["trained"]
    four = read["step4"]["four"]
    assert read["step4"]["one"] == pytest.approx(four, abs=5e-4)
    assert read["step4"]["equal"] == pytest.approx(four, abs=5e-4)
    assert read["step5"]["one"] > read["step5"]["four"] + 0.005
    assert read["step5"]["equal"] > read["step5"]["four"]
    apart = [abs(losses["one"] - losses["four"]) for losses in trained.values()]
    all_four = [losses["four"] for losses in trained.values()]
    assert 20 * max(apart) < max(all_four) - min(all_four)
