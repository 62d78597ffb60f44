"""What models score on names that they have not seen, and what heads are worth there."""

import pytest

from snippets.records import runs
from snippets.records.record import held_out_losses
from tests.marks import nightly
from tests.models import load_record

HELD_OUT: dict[str, float] = load_record("held-out")
HEADS: dict[str, dict[str, float]] = load_record("heads")


@nightly
def test_retrained_models_reproduce_the_recorded_held_out_losses() -> None:
    assert pytest.approx(held_out_losses(), rel=5e-6) == HELD_OUT
    found = runs.heads()
    assert list(HEADS) == list(found) == ["step4", "step5"]
    for step, losses in found.items():
        assert HEADS[step] == pytest.approx(losses, rel=5e-6)
