"""With the original's names, every step gives what the original's programs gave."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microgpt import Tokenizer, load_names, sample
from tests.snippets import quick
from tests.snippets.record import HELD_OUT, PUBLISHED, first_losses
from tests.thorough import nightly, thorough

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


@pytest.fixture(scope="module")
def recorded() -> Any:
    return json.loads(RECORDED.read_text())


@pytest.mark.parametrize("step", PUBLISHED)
def test_the_record_agrees_with_the_originals_programs(
    recorded: Any, step: str
) -> None:
    theirs = recorded["published"][step]
    assert theirs == list(PUBLISHED[step])
    ours = [round(recorded[step][name], 4) for name in ("first", "last")]
    assert ours == theirs


def test_the_record_has_the_first_losses_of_both_to_the_last_bits(
    recorded: Any,
) -> None:
    theirs, ours = recorded["in_full"]["theirs"], recorded["in_full"]["ours"]
    assert len(theirs) == len(ours) == 100
    assert ours == pytest.approx(theirs, rel=0, abs=1e-14)
    assert theirs[0] == pytest.approx(PUBLISHED["step5"][0], abs=5e-5)


def test_the_first_losses_are_still_what_the_record_has(
    recorded: Any, original_names: Path
) -> None:
    measured = first_losses()
    assert recorded["in_full"]["theirs"] == measured["theirs"]
    assert recorded["in_full"]["ours"] == pytest.approx(measured["ours"], abs=1e-12)


def test_the_record_has_the_originals_samples(recorded: Any) -> None:
    assert recorded["samples"][:10] == SAMPLES


def assert_recorded(
    recorded: Any,
    losses: list[float],
    loss_of: Callable[[list[int]], float],
    documents: list[list[int]],
) -> None:
    found = {
        "first": losses[0],
        "last": losses[-1],
        "last_100": sum(losses[-100:]) / 100,
        "held_out": quick.per_token(loss_of, documents),
    }
    assert recorded == pytest.approx(found, rel=5e-6)


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
    [
        *(pytest.param(s, marks=nightly) for s in ("step3", "step4")),
        pytest.param("step5", marks=thorough),
    ],
)
def test_the_record_has_the_losses_of_the_models(
    recorded: Any, original_names: Path, step: str
) -> None:
    run = quick.whole(step, original_names)
    *_, held_out = shuffled(original_names)
    assert_recorded(recorded[step], run.losses, run.loss_of, held_out)
    if step == "step5":
        rng = random.Random()
        rng.setstate(run.rng.getstate())
        samples = [sample(run.model, run.tokenizer, rng) for _ in range(20)]
        assert recorded["samples"] == samples


@thorough
def test_the_record_has_the_losses_of_the_table_and_of_the_network(
    recorded: Any, original_names: Path
) -> None:
    rng, names, tokenizer, held_out = shuffled(original_names)
    models = quick.table_and_network(names, tokenizer, rng)
    for step, (losses, loss_of) in models.items():
        assert_recorded(recorded[step], losses, loss_of, held_out)
    assert recorded["names"] == len(names)
    assert recorded["held_out_names"] == len(held_out) == HELD_OUT
