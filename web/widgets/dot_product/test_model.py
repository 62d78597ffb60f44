"""Products, sums and verdicts of dot products, and what embeddings are like."""

from __future__ import annotations

import math
import random

import pytest

from tests.models import assert_json, dot, refusals
from widgets._network import trained_weights
from widgets.dot_product.model import dot_product


def test_the_sum_grows_product_by_product() -> None:
    shown = dot_product([1.0, -0.5, 2.0, 0.5], [0.5, 1.0, 1.0, -1.0])
    assert shown["products"] == [0.5, -0.5, 2.0, -0.5]
    assert shown["running"] == [0.5, 0.0, 2.0, 1.5]
    assert shown["sum"] == 1.5
    assert "agree in 2 of 4 places, and differ in 2" in shown["says"]
    with_zeros = dot_product([1.0, 0.0, 2.0, -1.0], [1.0, 3.0, 0.0, 2.0])["says"]
    assert "agree in 1 of 4 places, and differ in 1" in with_zeros


@pytest.mark.parametrize("seed", range(20))
def test_any_vectors_give_their_dot_product(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(1, 16)
    w, x = ([round(rng.uniform(-3, 3), 1) for _ in range(size)] for _ in range(2))
    shown = dot_product(w, x)
    true = dot(w, x)
    assert shown["sum"] == pytest.approx(true, rel=1e-4, abs=1e-9)
    assert shown["running"][-1] == shown["sum"]
    word = "positive" if true > 0 else "negative"
    assert word in shown["says"]


def test_a_sum_of_0_is_explained() -> None:
    assert "cancels" in dot_product([0.1, 0.2, -0.3], [1.0, 1.0, 1.0])["says"]
    assert dot_product([0.1, 0.2, -0.3], [1.0, 1.0, 1.0])["sum"] == 0
    assert "In no place" in dot_product([1.0, 0.0], [0.0, 1.0])["says"]
    smallest = dot_product([0.1, 0.0], [0.1, 1.0])
    assert smallest["sum"] == 0.01
    assert "The sum is positive" in smallest["says"]


def test_embeddings_are_ordered_by_agreement() -> None:
    wte = trained_weights()["wte"]
    found = dot_product([1.0], [1.0])["embeddings"]
    for token, embedding in enumerate(found):
        assert embedding["vector"] == pytest.approx(wte[token], abs=5.01e-4)
        agreement = [dot(wte[token], wte[other]) for other in embedding["like"]]
        assert agreement == sorted(agreement, reverse=True)
        assert sorted([token, *embedding["like"]]) == list(range(27))
    vowels = {i for i, embedding in enumerate(found) if embedding["name"] in [*"aeiou"]}
    for vowel in vowels:  # as the page says
        assert set(found[vowel]["like"][:4]) == vowels - {vowel}


def test_it_is_what_json_can_hold() -> None:
    assert_json(dot_product([1.0] * 16, [-1 / 3] * 16))


test_what_is_no_pair_of_vectors_is_refused = refusals(
    dot_product,
    {"w": [1.0], "x": [1.0]},
    ({"w": [], "x": []}, "from 1 to 16"),
    ({"w": [1.0] * 17, "x": [1.0] * 17}, "from 1 to 16"),
    ({"x": [1.0, 2.0]}, "as many numbers"),
    ({"w": [math.nan]}, "from −3 to 3"),
    ({"x": [math.inf]}, "from −3 to 3"),
    ({"x": [3.5]}, "from −3 to 3"),
)
