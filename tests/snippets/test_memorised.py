"""What the guide says of samples that are in the dataset (docs/data/memorised.json) is so."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from microgpt import load_model, load_names, sample
from tests.snippets import memorised
from tests.thorough import one_of_each

COLUMNS = ["known", "long", "trained", "distinct", "distinct_known", "distinct_trained"]


@pytest.fixture(scope="module")
def recorded() -> dict[str, memorised.Counts]:
    found: dict[str, memorised.Counts] = written()["samples"]
    return found


def written() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(memorised.DATA.read_text())
    return content


def test_every_temperature_and_the_table_have_a_thousand_samples(
    recorded: dict[str, memorised.Counts],
) -> None:
    assert list(recorded) == [*memorised.TEMPERATURES, "counting"]
    for row in recorded.values():
        assert list(row) == COLUMNS
        assert {len(column) for column in row.values()} == {memorised.HUNDREDS}


@pytest.mark.parametrize("name", ["0.5", "1.0"])
def test_the_first_hundred_samples_of_the_model_are_counted_right(
    name: str, recorded: dict[str, memorised.Counts]
) -> None:
    model, tokenizer = load_model()
    rng = random.Random(42)
    temperature = memorised.TEMPERATURES[name]
    samples = [sample(model, tokenizer, rng, temperature) for _ in range(100)]
    names = load_names()
    random.Random(42).shuffle(names)
    row = {column: values[0] for column, values in recorded[name].items()}
    assert row == {
        "known": sum(one in names for one in samples),
        "long": sum(len(one) > 3 and one in names for one in samples),
        "trained": sum(one in names[:1000] for one in samples),
        "distinct": len(set(samples)),
        "distinct_known": sum(one in samples for one in names),
        "distinct_trained": sum(one in samples for one in names[:1000]),
    }


def test_all_samples_of_the_table_are_counted_right(
    recorded: dict[str, memorised.Counts],
) -> None:
    assert memorised.of_the_table() == recorded["counting"]


@pytest.mark.parametrize("name", one_of_each(memorised.TEMPERATURES))
def test_all_samples_of_the_model_are_counted_right(
    name: str, recorded: dict[str, memorised.Counts]
) -> None:
    """The first hundred are compared with `sample` itself above."""
    assert memorised.found_quickly(memorised.TEMPERATURES[name]) == recorded[name]


def test_cool_samples_repeat_and_hit_the_dataset_more_often_than_hot_ones(
    recorded: dict[str, memorised.Counts],
) -> None:
    rows = [recorded[name] for name in memorised.TEMPERATURES]
    known = [row["known"][-1] for row in rows]
    assert known == sorted(known, reverse=True)
    distinct = [row["distinct"][-1] for row in rows]
    assert distinct[0] < distinct[1] < distinct[2] < 1000


def test_hits_are_seldom_names_that_were_trained_on(
    recorded: dict[str, memorised.Counts],
) -> None:
    """If the model recited, nearly all would be; by chance, 1,000 in 5,676."""
    share = 1000 / 5676
    for name in memorised.TEMPERATURES:
        row = recorded[name]
        trained, known = row["distinct_trained"][-1], row["distinct_known"][-1]
        deviation = (known * share * (1 - share)) ** 0.5
        if name in ("0.2", "0.5"):  # "half as many again"
            assert 1.4 < trained / (known * share) < 1.6
        else:  # "about as many as by chance"
            assert abs(trained - known * share) < deviation
    assert recorded["0.2"]["trained"][-1] < share * recorded["0.2"]["known"][-1]


def test_both_models_owe_little_to_the_names_that_they_have_read() -> None:
    seen = written()["seen"]
    assert seen == pytest.approx(memorised.losses_on_trained_names(), rel=5e-6)
    held_out = json.loads((memorised.DATA.parent / "held-out.json").read_text())
    for step, loss in seen.items():
        assert 0.05 < held_out[step] - loss < 0.08
    assert held_out["step5"] - seen["step5"] < held_out["step0"] - seen["step0"]
