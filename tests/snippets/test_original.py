"""With the original's names, every step gives the losses of the original's programs."""

from typing import Any

import pytest

from snippets.records import runs
from snippets.records.record import (
    ORIGINAL_HELD_OUT_COUNT,
    ORIGINAL_NAMES,
    PUBLISHED_LOSSES,
    measure_first_losses,
)
from tests.marks import nightly, thorough
from tests.models import load_record, needs_original_names

RECORD: dict[str, Any] = load_record("original")


@thorough
@needs_original_names
def test_first_losses_on_the_original_names_equal_the_record() -> None:
    measured = measure_first_losses()
    assert measured["ours"] == pytest.approx(measured["theirs"], rel=0, abs=1e-12)
    assert RECORD["in_full"]["theirs"] == measured["theirs"]
    assert RECORD["in_full"]["ours"] == pytest.approx(measured["ours"], abs=1e-12)


@nightly
@needs_original_names
def test_retraining_on_the_original_names_reproduces_the_record() -> None:
    found = runs.measure_steps(ORIGINAL_NAMES, ORIGINAL_HELD_OUT_COUNT)
    assert RECORD["held_out_names"] == ORIGINAL_HELD_OUT_COUNT
    assert (RECORD["names"], RECORD["samples"]) == (
        found.pop("names"),
        found.pop("samples"),
    )
    assert list(found) == list(PUBLISHED_LOSSES)
    for step, losses in found.items():
        ends = losses["first"], losses["last"]
        assert ends == pytest.approx(PUBLISHED_LOSSES[step], abs=5.1e-5)
        assert RECORD[step] == pytest.approx(losses, rel=5e-6)
