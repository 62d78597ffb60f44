"""What Step 3 is without one of its parts."""

import random
from itertools import permutations

import pytest

from microgpt import Tokenizer, Value, load_names
from microgpt.attention import Cache
from snippets import step3
from snippets.records import runs


def test_what_is_left_out_of_a_quick_run_stays_zero() -> None:
    run = runs.Quick("step3", without=["wpe"])
    assert len(list(run.train(3))) == 3
    assert not any(p.data for row in run.model.weights["wpe"] for p in row)


def test_without_positions_the_order_of_earlier_letters_does_not_matter() -> None:
    tokenizer = Tokenizer(load_names())
    weights = step3.initial_weights(27, random.Random(7))

    def logits(word: str, weights: step3.Weights) -> list[float]:
        cache = Cache()
        for token in [tokenizer.bos, *tokenizer.encode(word)]:
            result = step3.forward(token, weights, cache)
        return [logit.data for logit in result]

    no_order = weights | {"wpe": [[Value(0.0)] * 16] * 16}
    expected = logits("liana", no_order)
    for letters in permutations("lian"):
        word = "".join(letters) + "a"
        assert logits(word, no_order) == pytest.approx(expected, rel=1e-12)
    assert logits("lianl", no_order) != pytest.approx(expected, rel=1e-3)
    gap = [
        abs(a - b)
        for a, b in zip(logits("liana", weights), logits("naila", weights), strict=True)
    ]
    assert max(gap) > 1e-3
