"""What the heads of trained models are worth is what models trained anew say."""

import pytest

from microgpt import load_model
from snippets.records import runs
from tests.models import recorded
from tests.thorough import nightly

HEADS: dict[str, dict[str, float]] = recorded("heads")


@nightly
def test_the_model_of_the_package_read_as_one_head_has_the_recorded_loss() -> None:
    run = runs.Quick("step5", num_steps=0)
    loss = runs.with_model(run, 1, load_model()[0].weights).held_out()
    assert HEADS["step5"]["one"] == pytest.approx(loss, rel=5e-6)


@nightly
def test_the_record_of_what_heads_are_worth_is_found_again() -> None:
    assert list(HEADS) == ["step4", "step5"]
    for step, losses in runs.heads().items():
        assert HEADS[step] == pytest.approx(losses, rel=5e-6)


def test_the_record_agrees_with_the_held_out_losses() -> None:
    held_out = recorded("held-out")
    for step, losses in HEADS.items():
        assert losses["four"] == held_out[step]


def test_heads_that_look_everywhere_alike_are_one_head() -> None:
    """What the page on training with four heads says."""
    plain, adam = HEADS["step4"], HEADS["step5"]
    assert plain["one"] == pytest.approx(plain["four"], abs=5e-4)
    assert plain["equal"] == pytest.approx(plain["four"], abs=5e-4)
    assert adam["one"] > adam["four"] + 0.005
    assert adam["equal"] > adam["four"]
