"""Top-k and top-p agree with the plain computation that the chapter teaches."""

import math
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt import GPT, Config, Tokenizer, load_model, sample
from microgpt.sampling import zero_unlikely_probabilities

TOP_K_STRATEGY = st.none() | st.integers(1, 30)
TOP_P_STRATEGY = st.none() | st.floats(0.001, 1)


@st.composite
def distributions(draw: st.DrawFn) -> list[float]:
    weights = draw(st.lists(st.floats(0, 1), min_size=1, max_size=27))
    total = math.fsum(weights)
    return [w / total for w in weights] if total > 1e-9 else [1.0]


@pytest.mark.parametrize(
    ("top_k", "top_p", "expected"),
    [
        (None, None, [0.4, 0.3, 0.2, 0.1]),
        (None, 1.0, [0.4, 0.3, 0.2, 0.1]),
        (2, None, [0.4, 0.3, 0, 0]),
        (9, None, [0.4, 0.3, 0.2, 0.1]),
        (None, 0.8, [0.4, 0.3, 0.2, 0]),
        (None, 0.0001, [0.4, 0, 0, 0]),
        (3, 0.75, [0.4, 0.3, 0, 0]),  # 7 of 9, where 7 of 10 would not do
    ],
)
def test_tokens_outside_top_k_and_top_p_get_probability_zero(
    top_k: int | None, top_p: float | None, expected: list[float]
) -> None:
    p = [0.4, 0.3, 0.2, 0.1]
    assert zero_unlikely_probabilities(p, top_k, top_p) == expected
    assert zero_unlikely_probabilities(p[::-1], top_k, top_p) == expected[::-1]


def test_top_k_keeps_the_first_of_equal_probabilities() -> None:
    assert zero_unlikely_probabilities([0.2, 0.4, 0.4], top_k=1) == [0, 0.4, 0]


@given(distributions(), TOP_K_STRATEGY, TOP_P_STRATEGY)
def test_fewest_likeliest_tokens_keep_their_probabilities_unchanged(
    p: list[float], top_k: int | None, top_p: float | None
) -> None:
    kept = zero_unlikely_probabilities(p, top_k, top_p)
    indices = [i for i, x in enumerate(kept) if x]
    assert all(kept[i] == p[i] for i in indices) and indices
    dropped = [x for x, y in zip(p, kept) if not y]
    assert max(dropped, default=0) <= min(kept[i] for i in indices)
    ranked = sorted(p, reverse=True)[:top_k]
    assert len(indices) <= len(ranked)
    if top_p is None or top_p == 1:
        assert sorted(kept, reverse=True)[: len(ranked)] == ranked
    else:
        needed = top_p * math.fsum(ranked)
        assert math.fsum(kept) >= needed * (1 - 1e-12)
        fewer = math.fsum(kept) - min(kept[i] for i in indices)
        assert fewer <= needed * (1 + 1e-12)


@pytest.mark.parametrize(
    "settings", [{"top_k": 3}, {"top_p": 0.6}, {"top_k": 4, "top_p": 0.7}]
)
def test_temperature_applies_before_top_k_and_top_p(settings: dict[str, Any]) -> None:
    """Draw as `sample` does, from a plain computation of the same distribution."""
    model, tokenizer = load_model()
    rng, expected = random.Random(5), ""
    for _ in range(4):
        cache = model.new_cache()
        for token in [tokenizer.bos, *tokenizer.encode(expected)]:
            logits = [z.data for z in model.forward(token, cache)]
        exps = [math.exp(z / 1.5) for z in logits]
        p = [exp / math.fsum(exps) for exp in exps]
        order = sorted(range(27), key=lambda i: -p[i])[: settings.get("top_k")]
        total = sum(p[i] for i in order)
        nucleus: list[int] = []
        while order and sum(p[i] for i in nucleus) < settings.get("top_p", 1) * total:
            nucleus.append(order.pop(0))
        weights = [p[i] * (i in nucleus) for i in range(27)]
        (token,) = rng.choices(range(27), weights)
        expected += tokenizer.decode([token])
    name = sample(model, tokenizer, random.Random(5), 1.5, **settings)
    assert name[:4] == expected


def test_top_k_of_one_is_greedy() -> None:
    model, tokenizer = load_model()
    hot, cold = (
        {sample(model, tokenizer, random.Random(seed), t, top_k=1) for seed in range(3)}
        for t in (100, 0.01)
    )
    assert hot == cold and len(hot) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"temperature": 0}, "expected a temperature above 0, got 0"),
        ({"temperature": math.nan}, "expected a temperature above 0, got nan"),
        ({"top_k": 0}, "expected a top_k of at least 1, got 0"),
        ({"top_p": 0}, "expected a top_p above 0 and at most 1, got 0"),
        ({"top_p": 1.5}, "expected a top_p above 0 and at most 1, got 1.5"),
        ({"top_p": math.nan}, "expected a top_p above 0 and at most 1, got nan"),
    ],
)
def test_sample_refuses_settings_out_of_range(
    settings: dict[str, Any], message: str
) -> None:
    model = GPT(Config(2), random.Random(1))
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        sample(model, Tokenizer(["a"]), random.Random(1), **settings)
