"""With the original's names, every step gives what the original's programs gave."""

import random
from pathlib import Path
from typing import Any

import pytest

from microgpt import Tokenizer, load_names, sample
from snippets.records import runs
from snippets.records.record import HELD_OUT, PUBLISHED, first_losses
from tests.models import recorded
from tests.thorough import nightly, thorough

ORIGINAL: dict[str, Any] = recorded("original")
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
def test_the_first_losses_are_still_what_the_record_has(original_names: Path) -> None:
    measured = first_losses()
    assert ORIGINAL["in_full"]["theirs"] == measured["theirs"]
    assert ORIGINAL["in_full"]["ours"] == pytest.approx(measured["ours"], abs=1e-12)


def test_the_record_has_the_originals_samples() -> None:
    assert ORIGINAL["samples"][:10] == SAMPLES


def assert_recorded(
    step: str, losses: list[float], loss_of: runs.LossOf, documents: list[list[int]]
) -> None:
    found = {
        "first": losses[0],
        "last": losses[-1],
        "last_100": sum(losses[-100:]) / 100,
        "held_out": runs.per_token(loss_of, documents),
    }
    assert ORIGINAL[step] == pytest.approx(found, rel=5e-6)


def shuffled(
    original_names: Path,
) -> tuple[random.Random, list[str], Tokenizer, list[list[int]]]:
    """Return the generator once the names are shuffled, and what it has shuffled."""
    rng = random.Random(42)
    names = load_names(original_names)
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    held_out = [tokenizer.document(n) for n in names[1000 : 1000 + HELD_OUT]]
    return rng, names, tokenizer, held_out


@pytest.mark.parametrize(
    "step",
    [pytest.param(s, marks=nightly) for s in ("step3", "step4", "step5")],
)
def test_the_record_has_the_losses_of_the_models(
    original_names: Path, step: str
) -> None:
    run = runs.whole(step, original_names)
    *_, held_out = shuffled(original_names)
    assert_recorded(step, run.losses, run.loss_of, held_out)
    if step == "step5":
        rng = random.Random()
        rng.setstate(run.rng.getstate())
        samples = [sample(run.model, run.tokenizer, rng) for _ in range(20)]
        assert ORIGINAL["samples"] == samples


@nightly
def test_the_record_has_the_losses_of_the_table_and_of_the_network(
    original_names: Path,
) -> None:
    rng, names, tokenizer, held_out = shuffled(original_names)
    models = runs.table_and_network(names, tokenizer, rng)
    for step, (losses, loss_of) in models.items():
        assert_recorded(step, losses, loss_of, held_out)
    assert ORIGINAL["names"] == len(names)
    assert ORIGINAL["held_out_names"] == len(held_out) == HELD_OUT
