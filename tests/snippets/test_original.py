"""With the original's names, every step gives what the original's programs gave."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.snippets import quick
from tests.snippets.record import HELD_OUT, PUBLISHED

RECORDED = Path(__file__).parents[2] / "docs" / "data" / "original.json"
SAMPLES = [
    "kamon",
    "ann",
    "karai",
    "jaire",
    "vialan",
    "karia",
    "yeran",
    "anna",
    "areli",
    "kaina",
]


slow = pytest.mark.skipif(
    "MICROGPT_SLOW" not in os.environ, reason="needs MICROGPT_SLOW=1"
)


@pytest.fixture(scope="module")
def recorded():
    return json.loads(RECORDED.read_text())


@pytest.mark.parametrize("step", PUBLISHED)
def test_the_record_agrees_with_the_originals_programs(recorded, step):
    theirs = recorded["published"][step]
    assert theirs == list(PUBLISHED[step])
    ours = [round(recorded[step][name], 4) for name in ("first", "last")]
    assert ours == theirs


def test_the_record_has_the_originals_samples(recorded):
    assert recorded["samples"][:10] == SAMPLES


@pytest.mark.parametrize(
    "step", [*(pytest.param(s, marks=slow) for s in ("step3", "step4")), "step5"]
)
def test_the_record_has_the_losses_of_the_models(recorded, original_names, step):
    losses = quick.whole(step, original_names).losses
    assert recorded[step]["first"] == pytest.approx(losses[0], rel=5e-6)
    assert recorded[step]["last"] == pytest.approx(losses[-1], rel=5e-6)
    mean = sum(losses[-100:]) / 100
    assert recorded[step]["last_100"] == pytest.approx(mean, rel=5e-6)


@slow
def test_the_record_is_what_the_models_give(recorded, original_names):
    found = quick.ladder(original_names, HELD_OUT)
    assert list(found) == list(recorded)[: len(found)]
    for step in PUBLISHED:
        assert recorded[step] == pytest.approx(found[step], rel=5e-6)
    assert recorded["names"] == found["names"] == 32_033
    assert recorded["samples"] == found["samples"]
    assert recorded["held_out_names"] == HELD_OUT
