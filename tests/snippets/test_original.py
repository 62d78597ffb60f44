"""On the original's names, every step has the losses of the original's programs."""

import pytest

from snippets.records import runs
from snippets.records.record import (
    ORIGINAL_HELD_OUT_COUNT,
    ORIGINAL_NAMES_FILE,
    PUBLISHED_LOSSES,
    measure_first_losses,
)
from tests.marks import nightly, thorough
from tests.models import load_record, needs_original_names


@thorough
@needs_original_names
def test_first_losses_on_the_original_names_equal_the_record() -> None:
    recorded, measured = load_record("original")["in_full"], measure_first_losses()
    assert measured["ours"] == pytest.approx(measured["theirs"], rel=0, abs=1e-12)
    assert recorded["theirs"] == measured["theirs"]
    assert recorded["ours"] == pytest.approx(measured["ours"], abs=1e-12)


@nightly
@needs_original_names
def test_retraining_on_the_original_names_reproduces_the_record() -> None:
    recorded = load_record("original")
    measured = runs.measure_steps(ORIGINAL_NAMES_FILE, ORIGINAL_HELD_OUT_COUNT)
    assert recorded["held_out_names"] == ORIGINAL_HELD_OUT_COUNT
    assert all(recorded[key] == measured.pop(key) for key in ("names", "samples"))
    assert list(measured) == list(PUBLISHED_LOSSES)
    for step, losses in measured.items():
        first_and_last = losses["first"], losses["last"]
        assert first_and_last == pytest.approx(PUBLISHED_LOSSES[step], abs=5.1e-5)
        assert recorded[step] == pytest.approx(losses, rel=5e-6)
