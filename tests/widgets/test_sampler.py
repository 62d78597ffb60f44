"""Every number is one that Python's generator gives, and falls where it is said to."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest

from microgpt import load_names
from snippets import step0
from widgets.sampler.model import Sampler, sampler

SEEDS = [0, 2, 42, 2024]  # 2024 invents a name without letters, all a cut one


@pytest.fixture(scope="module")
def counts() -> step0.Counts:
    names = load_names()
    random.Random(42).shuffle(names)
    counts = step0.zero_counts(27)
    for _ in step0.train(names, step0.Tokenizer(names), counts):
        pass
    return counts


@pytest.mark.parametrize("seed", SEEDS)
def test_the_names_are_those_that_choices_draws(
    seed: int, counts: step0.Counts
) -> None:
    rng = random.Random(seed)
    tokenizer = step0.Tokenizer(load_names())
    for sampled in sampler(seed)["names"]:
        assert sampled["name"] == step0.sample(counts, tokenizer, rng)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_number_is_the_generator_s_next_and_falls_on_its_piece(
    seed: int, counts: step0.Counts
) -> None:
    rng = random.Random(seed)
    result = sampler(seed)
    for sampled in result["names"]:
        token, letters = 26, ""
        for draw in sampled["draws"]:
            assert draw["token"] == token
            assert draw["number"] == pytest.approx(rng.random(), abs=5.1e-6)
            assert draw["start"] - 1e-5 <= draw["number"] <= draw["end"] + 1e-5
            p = step0.probabilities(token, counts)
            token = draw["drawn"]
            assert draw["start"] == pytest.approx(sum(p[:token]), abs=1e-5)
            assert draw["end"] == pytest.approx(sum(p[: token + 1]), abs=1e-5)
            assert draw["p"] == pytest.approx(p[token], abs=5.1e-5)
            letters += "" if token == 26 else result["tokens"][token]
        assert letters == sampled["name"]
        assert (token == 26) == (len(sampled["draws"]) == len(letters) + 1)
        assert token == 26 or len(letters) == 16


def test_a_name_may_have_no_letter_or_be_cut() -> None:
    results = [name for seed in SEEDS for name in sampler(seed)["names"]]
    assert [name["draws"] for name in results if not name["name"]] != []
    assert any(len(name["draws"]) == 16 for name in results)


def test_the_line_of_each_token_is_cut_at_its_probabilities(
    counts: step0.Counts,
) -> None:
    result = sampler(42)
    for token, cuts in enumerate(result["cuts"]):
        assert cuts[-1] == pytest.approx(1)
        lengths = [b - a for a, b in zip([0.0, *cuts], cuts, strict=False)]
        p = step0.probabilities(token, counts)
        assert lengths == pytest.approx(p, abs=1.1e-5)


def test_other_seeds_draw_other_names_from_the_same_lines() -> None:
    def names(result: Sampler) -> list[str]:
        return [sampled["name"] for sampled in result["names"]]

    assert sampler(1)["cuts"] == sampler(2)["cuts"]
    assert names(sampler(1)) != names(sampler(2))
    assert names(sampler(1)) == names(sampler(1))


def test_the_page_stays_light() -> None:
    assert len(json.dumps(sampler(42))) < 40_000


@pytest.mark.parametrize("seed", [-1, 1.5, math.nan, math.inf, 2**40])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        sampler(seed)
