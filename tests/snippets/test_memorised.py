"""How many samples are names of the dataset, as docs/data/memorised.json records."""

import random
from typing import Any

import pytest

from microgpt import load_model, sample
from snippets.records import memorised
from tests.marks import nightly, thorough
from tests.models import load_record, shuffled_names

MEMORISED_RECORD: dict[str, Any] = load_record("memorised")
COUNTS_BY_TEMPERATURE: dict[str, memorised.KnownCounts] = MEMORISED_RECORD["samples"]


@pytest.mark.parametrize("name", ["0.5", "1.0"])
def test_memorised_counts_of_first_hundred_samples_are_right(name: str) -> None:
    model, tokenizer = load_model()
    rng, temperature = random.Random(42), float(name)
    samples = [sample(model, tokenizer, rng, temperature) for _ in range(100)]
    names = shuffled_names()
    row = {column: values[0] for column, values in COUNTS_BY_TEMPERATURE[name].items()}
    assert row == {
        "known": sum(one in names for one in samples),
        "long": sum(len(one) > 3 and one in names for one in samples),
        "trained": sum(one in names[:1000] for one in samples),
        "distinct": len(set(samples)),
        "distinct_known": sum(one in samples for one in names),
        "distinct_trained": sum(one in samples for one in names[:1000]),
    }


@nightly
@pytest.mark.parametrize("name", memorised.TEMPERATURES)
def test_memorised_counts_of_all_samples_are_right(name: str) -> None:
    counts = memorised.count_model_samples(float(name))
    assert counts == COUNTS_BY_TEMPERATURE[name]


def test_model_samples_few_more_training_names_than_chance() -> None:
    """By chance alone, 1,000 in 5,676 sampled real names would be training names."""
    share = 1000 / 5676
    for name in memorised.TEMPERATURES:
        row = COUNTS_BY_TEMPERATURE[name]
        trained, known = row["distinct_trained"][-1], row["distinct_known"][-1]
        deviation = (known * share * (1 - share)) ** 0.5
        if name in ("0.2", "0.5"):  # "half as many again"
            assert 1.4 < trained / (known * share) < 1.6
        else:  # "about as many as by chance"
            assert abs(trained - known * share) < deviation
    coldest = COUNTS_BY_TEMPERATURE["0.2"]
    assert coldest["trained"][-1] < share * coldest["known"][-1]


@thorough
def test_recorded_losses_on_training_names_are_reproduced() -> None:
    seen = MEMORISED_RECORD["seen"]
    assert seen == pytest.approx(memorised.measure_losses_on_training_names(), rel=5e-6)
