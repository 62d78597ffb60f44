"""The rungs of the ladder are judged fairly, and what is recorded of them fits."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("microgpt.engines.c")

from bench import alternatives, rungs
from bench.ends import difference, interval
from bench.machine import layout
from bench.networks import Network, Split
from bench.rungs import RUNGS
from bench.tables import FOUR, PAIRS, KneserNey, Table
from microgpt import load_names
from microgpt.training import document_loss
from tests.models import load_record

EVERY_20TH_NAME = load_names()[::20]
RECORDS: dict[str, Any] = {
    "ends": (rungs.Study, RUNGS, rungs.DIFFERENCES),
    "variants": (
        alternatives.variants,
        alternatives.VARIANTS,
        alternatives.DIFFERENCES,
    ),
}


def test_confidence_interval_matches_students_sleep_data() -> None:
    """Hours gained with two drugs (Student, 1908), which ten patients took in turn."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = difference(second, first)
    assert found.mean == pytest.approx(1.58)
    assert found.mean - found.error == pytest.approx(0.7001, abs=1e-4)
    assert found.mean + found.error == pytest.approx(2.4599, abs=1e-4)
    assert found.is_real and not interval([-1, 1, 2, -2, 0.1]).is_real


def test_split_never_trains_on_a_held_out_name() -> None:
    split = Split([*EVERY_20TH_NAME, *EVERY_20TH_NAME[:50]], 2)
    held_out = {tuple(tokens) for tokens in split.held_out}
    training = {tuple(tokens) for tokens in split.training}
    assert len(held_out) == len(split.held_out) == len(EVERY_20TH_NAME) // 10
    assert len(held_out | training) == len(set(EVERY_20TH_NAME))
    assert held_out.isdisjoint(map(tuple, split.reading(500)))


def test_loss_per_token_weights_documents_by_length() -> None:
    split = Split(EVERY_20TH_NAME, 1)
    trained = Network().model(split, 64, 0.01)
    some = split.held_out[:5]
    total = sum(
        document_loss(trained.model, tokens).data * (len(tokens) - 1) for tokens in some
    )
    tokens = sum(len(tokens) - 1 for tokens in some)
    assert trained.loss(some) == pytest.approx(total / tokens, rel=1e-5)
    read = some[0][:-1]
    assert sum(trained.probabilities(read)) == pytest.approx(1)


def test_bigram_table_counts_pairs_with_additive_smoothing() -> None:
    table = Table([[2, 0, 1, 2], [2, 0, 0, 2]], 3, PAIRS, 3.0)
    assert table.probabilities([2, 0]) == pytest.approx([2 / 6, 2 / 6, 2 / 6])
    assert table.probabilities([2]) == pytest.approx([3 / 5, 1 / 5, 1 / 5])
    assert table.loss([[2, 0]]) == pytest.approx(-math.log(3 / 5))


def test_kneser_ney_prefers_letters_seen_after_many_different_letters() -> None:
    """What follows one letter only, however often, is not expected after others."""
    often, varied = [9, 1, 2, 9], [[9, letter, 3, 9] for letter in (4, 5, 6)]
    table = KneserNey([*[often] * 10, *varied], 10, FOUR, 0.5)
    p = table.probabilities([9, 7])
    assert p[3] > p[2]


@pytest.mark.parametrize("name", RECORDS)
def test_record_has_every_model_and_difference_and_is_not_retrained(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, models, pairs = RECORDS[name]
    out = tmp_path / "record.json"
    studies = {"guide": study(EVERY_20TH_NAME, (20, 64), seeds=(1, 2), tuning=(101,))}
    rungs.update(out, studies)
    text = out.read_text(encoding="utf-8")
    found = json.loads(text)["guide"]
    assert list(found["rungs"]) == list(models)
    assert list(found["differences"]) == list(pairs)
    assert text == layout({"guide": found}) + "\n"
    # What is recorded is not trained again
    monkeypatch.delattr(rungs.Study, "end")
    rungs.update(out, studies)
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
    model = RECORDS[record][1][name].model(split, seen_count, end["choice"])
    assert model.loss(split.held_out) == pytest.approx(end["losses"][0], abs=tolerance)
    assert len(rungs.invented(model, split.tokenizer, random.Random(1), 0.5)) <= 16
