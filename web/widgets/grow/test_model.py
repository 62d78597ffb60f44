"""Names that grow are those of `sample`, and every probability that of the model."""

from __future__ import annotations

import random

import pytest

from microgpt import load_model, sample
from tests.models import (
    BOS,
    TOKENS,
    document,
    refusals,
    shuffled,
    softmax,
    transformer,
)
from widgets.grow.model import grow


def predicted(text: str, temperature: float) -> list[float]:
    """Return what the model says of what comes after a text."""
    read = transformer(load_model()[0].weights, document(text)[:-1], 4)
    return softmax([logit / temperature for logit in read[-1].logits])


@pytest.mark.parametrize(
    ("chosen", "temperature", "seed"), [("", 0.5, 9), ("ma", 1.0, 42), ("zzz", 2.0, 0)]
)
def test_the_names_are_those_of_sample_and_every_beginning_has_its_probabilities(
    chosen: str, temperature: float, seed: int
) -> None:
    model, tokenizer = load_model()
    result = grow(chosen, temperature, seed)
    names = [one["name"] for one in result["names"]]
    seeds = [seed, seed + 1, seed + 2, seed + 3]
    assert [one["seed"] for one in result["names"]] == seeds
    assert names == [
        sample(model, tokenizer, random.Random(one), temperature, chosen)
        for one in seeds
    ]
    beginnings = {name[:count] for name in names for count in range(len(name) + 1)}
    assert set(result["places"]) == beginnings
    assert (result["tokens"], result["longest"]) == (TOKENS, 16)
    for text, place in list(result["places"].items())[::4]:
        if len(text) < 16:
            expected = predicted(text, temperature)
            assert place["probabilities"] == pytest.approx(expected, rel=0.006)


def test_a_name_is_as_likely_as_its_letters_and_its_end_together() -> None:
    places = grow("mara", 0.5, 1)["places"]
    begins = 1.0
    for count, token in enumerate(document("mara")[1:-1]):
        assert places["mara"[:count]]["begins"] == pytest.approx(begins, rel=0.006)
        begins *= predicted("mara"[:count], 0.5)[token]
    is_it = begins * predicted("mara", 0.5)[BOS]
    assert places["mara"]["begins"] == pytest.approx(begins, rel=0.006)
    assert places["mara"]["one_in"] == pytest.approx(1 / is_it, rel=0.06)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (shuffled()[0], "trained"),
        (shuffled()[999], "trained"),
        (shuffled()[1000], "held out"),
        (shuffled()[-1], "held out"),
        ("zqx", "new"),
    ],
)
def test_it_knows_what_was_trained_on_and_what_was_held_out(
    name: str, kind: str
) -> None:
    assert grow(name, 0.5, 1)["places"][name]["kind"] == kind


def test_where_the_context_is_full_nothing_comes() -> None:
    name = "abcdefghijklmnop"
    result = grow(name, 0.5, 1)
    assert {one["name"] for one in result["names"]} == {name}
    assert result["places"][name]["probabilities"] == []
    likely = grow("arinanananananan", 1.0, 1)["places"]["arinanananananan"]
    assert likely["one_in"] == pytest.approx(1 / likely["begins"], rel=0.06)
    # One letter less has a place for one more, and for the end.
    assert len(grow(name[:-1], 0.5, 1)["places"][name[:-1]]["probabilities"]) == 27


test_nonsense_is_refused = refusals(
    grow,
    {"chosen": "", "temperature": 0.5, "seed": 1},
    ({"chosen": "é"}, "does not know the character"),
    ({"chosen": "a" * 17}, "type at most 16 letters"),
    ({"temperature": 0.0}, "temperature: choose from"),
    ({"temperature": float("nan")}, "temperature: choose from"),
    ({"seed": 1.5}, "seed: a whole number"),
    ({"seed": -1}, "seed: choose from 0"),
)
