"""Names that grow are those of `sample`, and every probability that of the model."""

from __future__ import annotations

import random

import pytest

from microgpt import load_model, load_names, sample, softmax
from widgets.grow.model import grow

CASES = [("", 0.5, 9), ("ma", 1.0, 42), ("zzz", 2.0, 0)]


def predicted(text: str, temperature: float) -> list[float]:
    """What the package's own functions say of what comes after a text."""
    model, tokenizer = load_model()
    cache = model.new_cache()
    for token in [tokenizer.bos, *tokenizer.encode(text)]:
        logits = model.forward(token, cache)
    return [p.data for p in softmax([logit / temperature for logit in logits])]


@pytest.mark.parametrize(("chosen", "temperature", "seed"), CASES)
def test_the_names_are_those_of_sample_with_seeds_in_a_row(chosen, temperature, seed):
    model, tokenizer = load_model()
    names = grow(chosen, temperature, seed)["names"]
    assert [one["seed"] for one in names] == [seed, seed + 1, seed + 2, seed + 3]
    assert [one["name"] for one in names] == [
        sample(model, tokenizer, random.Random(one["seed"]), temperature, chosen)
        for one in names
    ]


@pytest.mark.parametrize(("chosen", "temperature", "seed"), CASES)
def test_every_beginning_has_its_probabilities(chosen, temperature, seed):
    result = grow(chosen, temperature, seed)
    beginnings = {
        one["name"][:count]
        for one in result["names"]
        for count in range(len(one["name"]) + 1)
    }
    assert set(result["places"]) == beginnings
    assert result["tokens"] == [*"abcdefghijklmnopqrstuvwxyz", "BOS"]
    assert result["longest"] == 16
    for text, place in list(result["places"].items())[::4]:
        if len(text) < 16:
            expected = predicted(text, temperature)
            assert place["probabilities"] == pytest.approx(expected, rel=0.006)
            assert sum(place["probabilities"]) == pytest.approx(1, abs=0.01)


def test_a_name_is_as_likely_as_its_letters_and_its_end_together():
    _, tokenizer = load_model()
    places = grow("mara", 0.5, 1)["places"]
    begins = 1.0
    for count, token in enumerate(tokenizer.encode("mara")):
        assert places["mara"[:count]]["begins"] == pytest.approx(begins, rel=0.006)
        begins *= predicted("mara"[:count], 0.5)[token]
    is_it = begins * predicted("mara", 0.5)[tokenizer.bos]
    assert places["mara"]["begins"] == pytest.approx(begins, rel=0.006)
    assert places["mara"]["one_in"] == pytest.approx(1 / is_it, rel=0.06)


def test_it_knows_what_was_trained_on_and_what_was_held_out():
    names = load_names()
    random.Random(42).shuffle(names)
    for name, kind in ((names[0], "trained"), (names[999], "trained")):
        assert grow(name, 0.5, 1)["places"][name]["kind"] == kind
    for name in (names[1000], names[-1]):
        assert grow(name, 0.5, 1)["places"][name]["kind"] == "held out"
    assert grow("zqx", 0.5, 1)["places"]["zqx"]["kind"] == "new"


def test_where_the_context_is_full_nothing_comes():
    name = "abcdefghijklmnop"
    result = grow(name, 0.5, 1)
    assert {one["name"] for one in result["names"]} == {name}
    full = result["places"][name]
    assert full["probabilities"] == []
    likely = grow("arinanananananan", 1.0, 1)["places"]["arinanananananan"]
    assert likely["one_in"] == pytest.approx(1 / likely["begins"], rel=0.06)
    # One letter less has a place for one more, and for the end.
    assert len(grow(name[:-1], 0.5, 1)["places"][name[:-1]]["probabilities"]) == 27


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (("é", 0.5, 1), "does not know the character"),
        (("Ma", 0.5, 1), "type 'ma', in small letters"),
        (("a" * 17, 0.5, 1), "type at most 16 letters"),
        (("", 0.0, 1), "temperature: choose from"),
        (("", float("nan"), 1), "temperature: choose from"),
        (("", 0.5, 1.5), "seed: a whole number"),
        (("", 0.5, -1), "seed: choose from 0"),
    ],
)
def test_nonsense_is_refused(given, reason):
    with pytest.raises(ValueError, match=reason):
        grow(*given)
