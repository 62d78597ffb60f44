"""With the original's names, every step gives what the original's programs gave."""

from typing import Any

import pytest

from snippets.records import runs
from snippets.records.record import HELD_OUT, ORIGINAL_NAMES, PUBLISHED, first_losses
from tests.models import recorded
from tests.thorough import nightly, thorough

ORIGINAL: dict[str, Any] = recorded("original")
SAMPLES = "kamon ann karai jaire vialan karia yeran anna areli kaina"
with_their_names = pytest.mark.skipif(
    not ORIGINAL_NAMES.exists(), reason=f"the original's are not at {ORIGINAL_NAMES}"
)


@pytest.mark.parametrize("step", PUBLISHED)
def test_the_record_agrees_with_the_originals_programs(step: str) -> None:
    theirs = ORIGINAL["published"][step]
    assert theirs == list(PUBLISHED[step])
    ours = [round(ORIGINAL[step][name], 4) for name in ("first", "last")]
    assert ours == theirs


def test_the_record_has_the_first_losses_of_both_to_the_last_bits() -> None:
    theirs, ours = ORIGINAL["in_full"]["theirs"], ORIGINAL["in_full"]["ours"]
    assert len(theirs) == len(ours) == 100
    assert ours == pytest.approx(theirs, rel=0, abs=1e-14)
    assert theirs[0] == pytest.approx(PUBLISHED["step5"][0], abs=5e-5)


@thorough
@with_their_names
def test_the_first_losses_are_still_what_the_record_has() -> None:
    measured = first_losses()
    assert ORIGINAL["in_full"]["theirs"] == measured["theirs"]
    assert ORIGINAL["in_full"]["ours"] == pytest.approx(measured["ours"], abs=1e-12)


@nightly
@with_their_names
def test_the_record_is_what_models_trained_anew_give() -> None:
    found = runs.ladder(ORIGINAL_NAMES, HELD_OUT)
    assert ORIGINAL["held_out_names"] == HELD_OUT
    assert (ORIGINAL["names"], ORIGINAL["samples"]) == (
        found.pop("names"),
        found.pop("samples"),
    )
    assert list(found) == list(PUBLISHED)
    for step, losses in found.items():
        assert ORIGINAL[step] == pytest.approx(losses, rel=5e-6)
