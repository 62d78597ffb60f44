"""What each network expects at a place is what its program computes from what it sees."""

from __future__ import annotations

import math

import pytest

from snippets import step1
from tests.models import document, recorded, refusals, transformer
from widgets.context.model import context


@pytest.mark.parametrize("name", ["maria", "hannah", "x"])
def test_each_network_answers_from_what_it_has_read(name: str) -> None:
    tokens = document(name)
    letters = recorded("step1-weights")  # the network of Step 2, as well
    whole = transformer(recorded("step3-weights"), tokens[:-1], 1)
    shown = context(name)
    losses = []
    for place, token, target, read in zip(
        shown["places"], tokens[:-1], tokens[1:], whole, strict=True
    ):
        one = step1.softmax(step1.forward(token, letters))
        assert (place["token"], place["target"]) == (token, target)
        assert place["one"] == pytest.approx(one, abs=6e-5)
        assert place["all"] == pytest.approx(read.probabilities, abs=6e-5)
        losses.append([-math.log(p[target]) for p in (one, read.probabilities)])
        assert [*place["losses"]] == pytest.approx(losses[-1], rel=1e-4)
    means = [sum(column) / len(losses) for column in zip(*losses, strict=True)]
    assert list(shown["means"]) == pytest.approx(means, rel=1e-4)


def test_places_are_alike_where_the_last_letter_is_the_same() -> None:
    shown = context("hannah")
    places = shown["places"]
    assert [place["alike"] for place in places] == [[], [6], [5], [4], [3], [2], [1]]
    assert places[1]["one"] == places[6]["one"]
    assert places[1]["all"] != places[6]["all"]
    read = [shown["tokens"][place["token"]] for place in places]
    assert read == ["BOS", *"hannah"]
    assert len(context("a" * 15)["places"]) == 16


test_names_that_do_not_fit_are_refused = refusals(
    context,
    {},
    ({"name": "a" * 16}, "at most 15 letters"),
    ({"name": " "}, "one letter or more"),
    ({"name": "zoë"}, "does not know the character"),
)
