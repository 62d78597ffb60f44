"""The browser is given what it samples from."""

import math

import pytest

from tests.models import assert_json, make_refusal_test
from widgets.sampler.model import Model, sampler


@pytest.mark.parametrize(
    ("model", "holds", "learnt"),
    [
        ("counts", [], 1000),
        ("network", ["logits"], 1000),
        ("one-end", ["matrices"], 5108),
        ("four-end", ["matrices"], 5108),
    ],
)
def test_a_page_gets_what_it_takes_to_ask_a_model(
    model: Model, holds: list[str], learnt: int
) -> None:
    shown = sampler(model)
    assert list(shown["models"]) == [model]
    asked = shown["models"][model]
    given = {of: asked[of] for of in ("logits", "matrices")}
    assert [of for of, numbers in given.items() if numbers is not None] == holds
    assert asked["learnt"] == learnt
    assert_json(shown)


def test_the_model_that_a_page_begins_with_is_the_last_to_choose() -> None:
    shown = sampler("four-end", others=["counts", "one-end"])
    assert list(shown["models"]) == ["counts", "one-end", "four-end"]


test_nonsense_is_refused = make_refusal_test(
    sampler,
    {"model": "counts"},
    ({"begin": "é"}, "does not know the character"),
    ({"begin": "a" * 16}, "type at most 15 letters"),
    ({"temperature": 0}, "temperature: choose from 0.1 to 3"),
    ({"temperature": math.nan}, "temperature: choose from 0.1 to 3"),
)
