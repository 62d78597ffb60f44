"""With the original's names, every step gives what the original's programs gave."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.snippets import quick
from tests.snippets.record import HELD_OUT

RECORDED = Path(__file__).parents[2] / "docs" / "data" / "original.json"
# Measured with the original's own programs: the first step's loss, the last one's and,
# where it was taken, the mean of the last hundred
PUBLISHED = {
    "step0": (3.2958, 2.7177, 2.4416),
    "step1": (3.2978, 2.6873, 2.4389),
    "step3": (3.3816, 2.6483, None),
    "step4": (3.3660, 2.6438, None),
    "step5": (3.3660, 2.6497, None),
}
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
    first, last, last_100 = PUBLISHED[step]
    assert f"{recorded[step]['first']:.4f}" == f"{first:.4f}"
    assert f"{recorded[step]['last']:.4f}" == f"{last:.4f}"
    if last_100 is not None:
        assert f"{recorded[step]['last_100']:.4f}" == f"{last_100:.4f}"


def test_the_record_has_the_originals_samples(recorded):
    assert recorded["samples"][:10] == SAMPLES


@pytest.mark.parametrize("step", ["step3", "step4", "step5"])
def test_the_record_has_the_losses_of_the_models(recorded, original_names, step):
    losses = quick.whole(step, original_names).losses
    assert recorded[step]["first"] == pytest.approx(losses[0], rel=5e-6)
    assert recorded[step]["last"] == pytest.approx(losses[-1], rel=5e-6)
    mean = sum(losses[-100:]) / 100
    assert recorded[step]["last_100"] == pytest.approx(mean, rel=5e-6)


@slow
def test_the_record_is_what_the_models_give(recorded, original_names):
    found = quick.ladder(original_names, HELD_OUT)
    assert list(found) == list(recorded)
    for step in PUBLISHED:
        assert recorded[step] == pytest.approx(found[step], rel=5e-6)
    assert recorded["names"] == found["names"] == 32_033
    assert recorded["samples"] == found["samples"]
