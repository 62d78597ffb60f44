"""What each network expects at a place is what its program computes from what it sees."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from microgpt import Tokenizer, Value, load_names, softmax
from microgpt.attention import Cache
from snippets import step2, step3
from widgets.context.model import context

DATA = Path(__file__).parents[2] / "docs" / "data"


def learnt(program: str) -> step3.Weights:
    recorded = json.loads((DATA / f"{program}-weights.json").read_text("utf-8"))
    return {
        name: [[Value(w) for w in row] for row in matrix]
        for name, matrix in recorded.items()
    }


@pytest.mark.parametrize("name", ["maria", "hannah", "x"])
def test_each_network_answers_from_what_it_has_read(name):
    tokenizer = Tokenizer(load_names())
    tokens = tokenizer.document(name)
    of_step2, of_step3, cache = learnt("step1"), learnt("step3"), Cache()
    shown = context(name)
    losses = []
    for place, token, target in zip(
        shown["places"], tokens[:-1], tokens[1:], strict=True
    ):
        one = [p.data for p in softmax(step2.forward(token, of_step2))]
        all_ = [p.data for p in softmax(step3.forward(token, of_step3, cache))]
        assert (place["token"], place["target"]) == (token, target)
        assert place["one"] == pytest.approx(one, abs=6e-5)
        assert place["all"] == pytest.approx(all_, abs=6e-5)
        losses.append((-math.log(one[target]), -math.log(all_[target])))
        assert place["losses"] == pytest.approx(losses[-1], rel=1e-4)
    means = [sum(column) / len(losses) for column in zip(*losses, strict=True)]
    assert list(shown["means"]) == pytest.approx(means, rel=1e-4)


def test_places_are_alike_where_the_last_letter_is_the_same():
    places = context("hannah")["places"]
    assert [place["alike"] for place in places] == [[], [6], [5], [4], [3], [2], [1]]
    assert places[1]["one"] == places[6]["one"]
    assert places[1]["all"] != places[6]["all"]
    names = context("hannah")["tokens"]
    read = [names[place["token"]] for place in places]
    assert read == ["BOS", *"hannah"]


def test_names_that_do_not_fit_are_refused():
    assert len(context("a" * 15)["places"]) == 16
    with pytest.raises(ValueError, match="at most 15 letters"):
        context("a" * 16)
    with pytest.raises(ValueError, match="one letter or more"):
        context(" ")
    with pytest.raises(ValueError, match="does not know the character"):
        context("zoë")
