"""What the pages say of positions and of RMSNorm in the program of Step 3."""

import random
from contextlib import suppress
from itertools import islice, permutations

import pytest

from microgpt import Tokenizer, Value, load_names
from microgpt.attention import Cache
from snippets import step3
from tests.models import Start
from tests.thorough import nightly, thorough


def losses(
    monkeypatch: pytest.MonkeyPatch, seed: int, *, norm: bool, rate: float, count: int
) -> list[float]:
    """Train with or without RMSNorm; stop where a loss has no value."""
    with monkeypatch.context() as patch:
        patch.setattr(step3, "linear_decay", lambda _, step, n: rate * (1 - step / n))
        if not norm:
            patch.setattr(step3, "rmsnorm", lambda x: x)
        start = Start(step3, seed=seed)
        found: list[float] = []
        with suppress(ValueError):
            found.extend(
                islice(step3.train(start.names, start.tokenizer, start.weights), count)
            )
        return found


@thorough
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=nightly)])
def test_with_rmsnorm_a_small_rate_learns_and_a_large_one_breaks_off(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """And without it, the other way round: no luck of the page's one seed."""

    def last_ten(norm: bool, rate: float) -> float | None:
        found = losses(monkeypatch, seed, norm=norm, rate=rate, count=60)
        return sum(found[-10:]) / 10 if len(found) == 60 else None

    with_norm, without = last_ten(True, 0.1), last_ten(False, 0.1)
    at_large_rate = last_ten(False, 1.0)
    assert with_norm is not None and without is not None and at_large_rate is not None
    assert without - with_norm > 0.2
    assert without - at_large_rate > 0.2
    assert last_ten(True, 1.0) is None


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
