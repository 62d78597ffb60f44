"""Recorded losses on held-out names, with and without heads."""

import pytest

from snippets.records import runs
from snippets.records.record import measure_held_out_losses
from tests.marks import nightly
from tests.models import load_record

HELD_OUT_LOSSES: dict[str, float] = load_record("held-out")
RECORDED_HEADS_LOSSES: dict[str, dict[str, float]] = load_record("heads")


@nightly
def test_retrained_models_reproduce_the_recorded_held_out_losses() -> None:
    assert pytest.approx(measure_held_out_losses(), rel=5e-6) == HELD_OUT_LOSSES
    found = runs.measure_heads()
    assert list(RECORDED_HEADS_LOSSES) == list(found) == ["step4", "step5"]
    for step, losses in found.items():
        assert RECORDED_HEADS_LOSSES[step] == pytest.approx(losses, rel=5e-6)
