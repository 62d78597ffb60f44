"""Every number is one that Python's generator gives, and falls where it is said to."""

from __future__ import annotations

import math
import random

import pytest

from snippets import step0
from tests.models import BOS, Start, refusals
from widgets.sampler.model import sampler

SEEDS = [0, 2, 42, 2024]  # 2024 invents a name without letters, all a cut one


@pytest.fixture(scope="module")
def counting() -> Start:
    start = Start(step0)
    start.losses(1000)
    return start


@pytest.mark.parametrize("seed", SEEDS)
def test_each_number_is_the_generator_s_next_and_draws_the_name_of_the_program(
    seed: int, counting: Start
) -> None:
    rng, again = random.Random(seed), random.Random(seed)
    result = sampler(seed)
    for token, cuts in enumerate(result["cuts"]):
        lengths = [b - a for a, b in zip([0.0, *cuts], cuts, strict=False)]
        p = step0.probabilities(token, counting.weights)
        assert lengths == pytest.approx(p, abs=1.1e-5)
    for sampled in result["names"]:
        name = step0.sample(counting.weights, counting.tokenizer, again)
        assert sampled["name"] == name
        token, letters = BOS, ""
        for draw in sampled["draws"]:
            assert draw["token"] == token
            assert draw["number"] == pytest.approx(rng.random(), abs=5.1e-6)
            assert draw["start"] - 1e-5 <= draw["number"] <= draw["end"] + 1e-5
            p = step0.probabilities(token, counting.weights)
            token = draw["drawn"]
            assert draw["start"] == pytest.approx(sum(p[:token]), abs=1e-5)
            assert draw["end"] == pytest.approx(sum(p[: token + 1]), abs=1e-5)
            assert draw["p"] == pytest.approx(p[token], abs=5.1e-5)
            letters += "" if token == BOS else result["tokens"][token]
        assert letters == name
        ended = len(sampled["draws"]) == len(letters) + 1
        assert (token == BOS) == ended
        assert ended or len(letters) == 16


def test_a_name_may_have_no_letter_or_be_cut() -> None:
    results = [name for seed in SEEDS for name in sampler(seed)["names"]]
    assert not all(name["name"] for name in results)
    assert any(len(name["draws"]) == 16 for name in results)


test_what_is_no_seed_is_refused = refusals(
    sampler, {}, *(({"seed": s}, "seed") for s in (-1, 1.5, math.nan, math.inf, 2**40))
)
