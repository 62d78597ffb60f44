"""A name is judged by the probability that the model says it and stops."""

from __future__ import annotations

import math
import random

import pytest

from microgpt import document_loss, load_model, load_names
from widgets.memorised.model import chance, memorised, neighbours

NAMES = load_names()


def test_the_probability_of_a_name_is_that_of_its_loss():
    model, tokenizer = load_model()
    for name in ("mara", "q", "christopher"):
        tokens = tokenizer.document(name)
        loss = document_loss(model, tokens).data
        assert -math.log(chance(name)) == pytest.approx(loss * (len(tokens) - 1))
        assert memorised(name)["loss"] == pytest.approx(loss, abs=6e-4)


def test_neighbours_have_another_letter_in_one_place():
    found = neighbours("mara")
    assert len(found) == len(set(found)) == 4 * 25
    for one in found:
        assert len(one) == 4
        assert sum(a != b for a, b in zip(one, "mara", strict=True)) == 1


def test_the_likeliest_come_first_and_the_name_has_its_place():
    result = memorised("emma")
    everyone = ["emma", *neighbours("emma")]
    order = sorted(everyone, key=chance, reverse=True)
    assert [one["name"] for one in result["likeliest"]] == order[:8]
    assert [one["rank"] for one in result["likeliest"]] == list(range(1, 9))
    itself = result["itself"]
    assert itself["rank"] == order.index("emma") + 1
    assert itself["one_in"] == pytest.approx(1 / chance("emma"), rel=0.06)
    assert itself["share"] == pytest.approx(chance("emma") / chance(order[0]), rel=0.01)
    assert result["total"] == len(everyone)
    assert result["known"] == sum(one in NAMES for one in everyone)


def test_it_tells_what_was_trained_on():
    names = load_names()
    random.Random(42).shuffle(names)
    for step in (1, 1000):
        result = memorised(names[step - 1])
        assert result["step"] == step
        assert result["itself"]["kind"] == "trained"
    held_out = memorised(names[1000])
    assert (held_out["step"], held_out["itself"]["kind"]) == (0, "held out")
    new = memorised("qwerty")
    assert (new["step"], new["itself"]["kind"]) == (0, "new")


def test_christopher_was_trained_on_and_not_memorised():
    """What the page says of the name."""
    result = memorised("christopher")
    assert result["itself"]["kind"] == "trained"
    assert result["itself"]["rank"] > 8
    assert result["likeliest"][0]["name"] == "christosher"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "type a name"),
        ("ann3", "does not know the character"),
        ("a" * 16, "at most 15"),
    ],
)
def test_nonsense_is_refused(name, reason):
    with pytest.raises(ValueError, match=reason):
        memorised(name)
