"""Recipes are compared fairly, and their records are complete and reproducible."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("microgpt.engines.c")

from bench import final_losses, variant_losses
from bench.count_tables import BIGRAM, UP_TO_FIVE_GRAM, CountTable, KneserNey
from bench.machine import format_json
from bench.recipes import NetworkRecipe, Split
from bench.results import confidence_interval, paired_difference
from microgpt import load_names
from microgpt.training import document_loss
from tests.models import load_record

EVERY_20TH_NAME = load_names()[::20]
RECORDS: dict[str, Any] = {
    "ends": (final_losses.Study, final_losses.RECIPES, final_losses.COMPARISONS),
    "variants": (
        variant_losses.VariantStudy,
        variant_losses.VARIANTS,
        variant_losses.COMPARISONS,
    ),
}


def test_confidence_interval_matches_students_sleep_data() -> None:
    """Hours gained with two drugs (Student, 1908), which ten patients took in turn."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = paired_difference(second, first)
    assert found.mean == pytest.approx(1.58)
    assert found.mean - found.error == pytest.approx(0.7001, abs=1e-4)
    assert found.mean + found.error == pytest.approx(2.4599, abs=1e-4)
    assert found.excludes_zero
    assert not confidence_interval([-1, 1, 2, -2, 0.1]).excludes_zero


def test_split_never_trains_on_a_held_out_name() -> None:
    split = Split([*EVERY_20TH_NAME, *EVERY_20TH_NAME[:50]], 2)
    held_out = {tuple(tokens) for tokens in split.held_out}
    training = {tuple(tokens) for tokens in split.training}
    assert len(held_out) == len(split.held_out) == len(EVERY_20TH_NAME) // 10
    assert len(held_out | training) == len(set(EVERY_20TH_NAME))
    assert held_out.isdisjoint(map(tuple, split.training_order(500)))


def test_loss_per_token_weights_documents_by_length() -> None:
    split = Split(EVERY_20TH_NAME, 1)
    trained = NetworkRecipe().train(split, 64, 0.01)
    some = split.held_out[:5]
    losses = [document_loss(trained.model, tokens).data for tokens in some]
    total = sum(x * (len(tokens) - 1) for x, tokens in zip(losses, some))
    tokens = sum(len(tokens) - 1 for tokens in some)
    assert trained.loss_per_token(some) == pytest.approx(total / tokens, rel=1e-5)
    read = some[0][:-1]
    assert sum(trained.probabilities(read)) == pytest.approx(1)


def test_bigram_table_counts_pairs_with_additive_smoothing() -> None:
    table = CountTable([[2, 0, 1, 2], [2, 0, 0, 2]], 3, BIGRAM, 3.0)
    assert table.probabilities([2, 0]) == pytest.approx([2 / 6, 2 / 6, 2 / 6])
    assert table.probabilities([2]) == pytest.approx([3 / 5, 1 / 5, 1 / 5])
    assert table.loss_per_token([[2, 0]]) == pytest.approx(-math.log(3 / 5))


def test_kneser_ney_prefers_letters_seen_after_many_different_letters() -> None:
    """What follows one letter only, however often, is not expected after others."""
    often, varied = [9, 1, 2, 9], [[9, letter, 3, 9] for letter in (4, 5, 6)]
    table = KneserNey([*[often] * 10, *varied], 10, UP_TO_FIVE_GRAM, 0.5)
    p = table.probabilities([9, 7])
    assert p[3] > p[2]


@pytest.mark.parametrize("name", RECORDS)
def test_record_has_every_model_and_difference_and_is_not_retrained(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, models, pairs = RECORDS[name]
    out = tmp_path / "record.json"
    small = study(EVERY_20TH_NAME, (20, 64), seeds=(1, 2), tuning_seeds=(101,))
    studies = {"guide": small}
    final_losses.run_studies(out, studies)
    text = out.read_text(encoding="utf-8")
    found = json.loads(text)["guide"]
    assert list(found["rungs"]) == list(models)
    assert list(found["differences"]) == list(pairs)
    assert text == format_json({"guide": found}) + "\n"
    # What is recorded is not trained again
    monkeypatch.delattr(final_losses.Study, "measure")
    final_losses.run_studies(out, studies)
    assert out.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("record", "name", "seen_count", "tolerance"),
    [
        ("ends", "network", 1000, 2e-3),
        ("ends", "four heads", 1000, 2e-3),
        ("variants", "post-norm, tuned", 30_000, 1e-2),
        ("variants", "momentum", 30_000, 1e-2),
    ],
)
def test_retraining_reproduces_the_recorded_held_out_loss(
    record: str, name: str, seen_count: int, tolerance: float
) -> None:
    """To rounding, which grows: other machines add in another order."""
    study, split = load_record(record)["guide"], Split(load_names(), 1)
    assert study["distinct_names"] == len(split.training) + len(split.held_out)
    assert study["held_out_names"] == len(split.held_out)
    end = study["rungs"][name][str(seen_count)]
    model = RECORDS[record][1][name].train(split, seen_count, end["choice"])
    expected = pytest.approx(end["losses"][0], abs=tolerance)
    assert model.loss_per_token(split.held_out) == expected
    sample = final_losses.sample_name(model, split.tokenizer, random.Random(1), 0.5)
    assert len(sample) <= 16
