"""The picture of temperature shows what `sample` would draw from."""

from __future__ import annotations

import math
import random

import pytest

from microgpt import load_model, sample
from widgets.temperature.model import TEMPERATURES, temperature


@pytest.mark.parametrize("prefix", ["", "mar", "abcdefghijklmno"])
def test_logits_are_divided_by_each_temperature(prefix):
    model, tokenizer = load_model()
    cache = model.new_cache()
    for token in [tokenizer.bos, *tokenizer.encode(prefix)]:
        logits = [logit.data for logit in model.forward(token, cache)]
    result = next(temperature(prefix, 0.5))
    assert result["logits"] == pytest.approx(logits, rel=6e-4, abs=1e-9)
    assert [look["temperature"] for look in result["looks"]] == list(TEMPERATURES)
    assert result["looks"][result["start"]]["temperature"] == 0.5
    assert result["tokens"] == [*"abcdefghijklmnopqrstuvwxyz", "BOS"]
    for look in result["looks"]:
        t = look["temperature"]
        exps = [math.exp((logit - max(logits)) / t) for logit in logits]
        p = [e / sum(exps) for e in exps]
        unsure = sum(-x * math.log(x) for x in p if x > 0)
        assert look["probabilities"] == pytest.approx(p, rel=0.006, abs=1e-30)
        assert look["entropy"] == pytest.approx(unsure, abs=6e-4)
        assert look["choice"] == pytest.approx(math.exp(unsure), abs=6e-3)


def test_the_hotter_the_less_sure_and_the_order_stays():
    looks = next(temperature("jo", 0.5))["looks"]
    unsure = [look["entropy"] for look in looks]
    assert unsure == sorted(unsure)
    assert looks[0]["choice"] == pytest.approx(1, abs=0.01)
    assert looks[-1]["choice"] == pytest.approx(27, abs=0.01)
    tokens = range(27)
    order = sorted(tokens, key=lambda token: looks[12]["probabilities"][token])
    for look in looks:
        p = [look["probabilities"][token] for token in order]
        assert p == sorted(p)


def test_names_come_first_where_the_reader_looks_and_in_the_end_everywhere():
    model, tokenizer = load_model()
    seen = []
    for result in temperature("mar", 1.0):
        done = [one["temperature"] for one in result["looks"] if one["samples"]]
        seen.append(done)
    assert seen[:2] == [[], [1.0]]
    assert seen[-1] == list(TEMPERATURES)
    for look in result["looks"][::5]:
        rng = random.Random(42)
        expected = [
            sample(model, tokenizer, rng, look["temperature"], "mar") for _ in range(5)
        ]
        assert look["samples"] == expected


@pytest.mark.parametrize(
    ("prefix", "reason"),
    [
        ("é", "does not know the character"),
        ("Jo", "type 'jo', in small letters"),
        ("a" * 16, "type at most 15 letters"),
    ],
)
def test_nonsense_is_refused(prefix, reason):
    with pytest.raises(ValueError, match=reason):
        next(temperature(prefix, 0.5))


def test_a_temperature_that_is_not_offered_is_refused():
    with pytest.raises(ValueError, match=r"temperature: choose one of 0\.001, "):
        next(temperature("", 0.55))
