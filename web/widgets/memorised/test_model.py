"""A name is judged by the probability that the model says it and stops."""

from __future__ import annotations

import math

import pytest

from microgpt import document_loss, load_model
from tests.models import LETTERS, document, refusals, shuffled
from widgets.memorised.model import chance, memorised, neighbours


@pytest.mark.parametrize("name", ["mara", "q", "christopher"])
def test_the_probability_of_a_name_is_that_of_its_loss(name: str) -> None:
    model, _ = load_model()
    loss = document_loss(model, document(name)).data
    assert -math.log(chance(name)) == pytest.approx(loss * (len(name) + 1))
    assert memorised(name)["loss"] == pytest.approx(loss, abs=6e-4)


def test_neighbours_have_another_letter_in_one_place() -> None:
    others = {
        "mara"[:i] + letter + "mara"[i + 1 :] for i in range(4) for letter in LETTERS
    }
    assert sorted(neighbours("mara")) == sorted(others - {"mara"})


def test_the_likeliest_come_first_and_the_name_has_its_place() -> None:
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
    assert result["known"] == sum(one in shuffled() for one in everyone)


@pytest.mark.parametrize(
    ("name", "step", "kind"),
    [
        (shuffled()[0], 1, "trained"),
        (shuffled()[999], 1000, "trained"),
        (shuffled()[1000], 0, "held out"),
        ("qwerty", 0, "new"),
    ],
)
def test_it_tells_what_was_trained_on(name: str, step: int, kind: str) -> None:
    result = memorised(name)
    assert (result["step"], result["itself"]["kind"]) == (step, kind)


def test_christopher_was_trained_on_and_not_memorised() -> None:
    """What the page says of the name."""
    result = memorised("christopher")
    assert result["itself"]["kind"] == "trained"
    assert result["itself"]["rank"] > 8
    assert result["likeliest"][0]["name"] == "christosher"


test_nonsense_is_refused = refusals(
    memorised,
    {},
    ({"name": ""}, "type a name"),
    ({"name": "ann3"}, "does not know the character"),
    ({"name": "a" * 16}, "at most 15"),
)
