"""The picture of temperature shows what `sample` would draw from."""

from __future__ import annotations

import math
import random

import pytest

from microgpt import load_model, sample
from tests.models import TOKENS, document, refusals, softmax, transformer
from widgets.temperature.model import TEMPERATURES, temperature


@pytest.mark.parametrize("prefix", ["", "mar", "abcdefghijklmno"])
def test_logits_are_divided_by_each_temperature(prefix: str) -> None:
    read = transformer(load_model()[0].weights, document(prefix)[:-1], 4)
    logits = read[-1].logits
    result = next(temperature(prefix, 0.5))
    assert result["logits"] == pytest.approx(logits, rel=6e-4, abs=1e-9)
    assert [look["temperature"] for look in result["looks"]] == list(TEMPERATURES)
    assert result["looks"][result["start"]]["temperature"] == 0.5
    assert result["tokens"] == TOKENS
    for look in result["looks"]:
        p = softmax([logit / look["temperature"] for logit in logits])
        entropy = sum(-x * math.log(x) for x in p if x > 0)
        assert look["probabilities"] == pytest.approx(p, rel=0.006, abs=1e-30)
        assert look["entropy"] == pytest.approx(entropy, abs=6e-4)
        assert look["choice"] == pytest.approx(math.exp(entropy), abs=6e-3)


def test_the_hotter_the_less_sure() -> None:
    looks = next(temperature("jo", 0.5))["looks"]
    entropies = [look["entropy"] for look in looks]
    assert entropies == sorted(entropies)
    assert looks[0]["choice"] == pytest.approx(1, abs=0.01)
    assert looks[-1]["choice"] == pytest.approx(27, abs=0.01)


def test_names_come_first_where_the_reader_looks_and_in_the_end_everywhere() -> None:
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


test_nonsense_is_refused = refusals(
    temperature,
    {"prefix": "", "temperature": 0.5},
    ({"prefix": "é"}, "does not know the character"),
    ({"prefix": "a" * 16}, "type at most 15 letters"),
    ({"temperature": 0.55}, r"temperature: choose one of 0\.001, "),
)
