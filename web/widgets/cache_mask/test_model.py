"""A cache and a mask give the same numbers, and no mask gives others."""

from __future__ import annotations

import math

import pytest

from microgpt import nn
from microgpt.attention import Cache
from snippets import step3
from tests.models import Token, document, refusals, transformer
from widgets._gpt import step3_weights
from widgets.cache_mask.model import cache_mask

NAMES = ("emma", "o", "margaret")


def tokens_of(name: str, *, masked: bool) -> list[Token]:
    return transformer(step3_weights("trained"), document(name)[:-1], 1, masked)


def loss_of(name: str, tokens: list[Token]) -> float:
    targets = document(name)[1:]
    p = [token.probabilities[t] for token, t in zip(tokens, targets, strict=True)]
    return -sum(map(math.log, p)) / len(p)


@pytest.mark.parametrize("name", NAMES)
def test_the_masked_matrix_is_the_cache_to_the_last_digit(name: str) -> None:
    shown = cache_mask(name)
    count = len(name) + 1
    assert shown["tokens"] == ["BOS", *name]
    assert shown["masked"]["apart"] == [0.0] * count
    assert shown["masked"]["loss"] == shown["cache"]["loss"]
    assert shown["masked"]["scores"] == shown["cache"]["scores"]
    for row, (masked, cached) in enumerate(
        zip(shown["masked"]["weights"], shown["cache"]["weights"], strict=True)
    ):
        assert masked == [*cached, *[0.0] * (count - row - 1)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", ["cache", "unmasked"])
def test_queries_meet_the_keys_that_they_may_see(name: str, way: str) -> None:
    shown = cache_mask(name)
    attention = shown["cache"] if way == "cache" else shown["unmasked"]
    tokens = tokens_of(name, masked=way == "cache")
    for i, token in enumerate(tokens):
        (scores,), (weights,) = token.scores, token.weights
        assert attention["scores"][i] == pytest.approx(scores, rel=0.006, abs=1e-9)
        assert attention["weights"][i] == pytest.approx(weights, abs=0.005)
        assert shown["keys"][i] == pytest.approx(token.key, rel=0.006, abs=1e-9)
        assert shown["values"][i] == pytest.approx(token.value, rel=0.006, abs=1e-9)
    assert attention["loss"] == pytest.approx(loss_of(name, tokens), rel=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_missing_mask_does_to_logits_is_measured(name: str) -> None:
    *others, last = shown = cache_mask(name)["unmasked"]["apart"]
    assert last == 0.0
    assert all(apart > 0 for apart in others)
    ways = tokens_of(name, masked=True), tokens_of(name, masked=False)
    for found, right, wrong in zip(shown, *ways, strict=True):
        apart = max(abs(a - b) for a, b in zip(right.logits, wrong.logits, strict=True))
        assert found == pytest.approx(apart, rel=0.006, abs=1e-9)


def test_linear_layers_and_kept_numbers_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = cache_mask("emma")
    counted = []

    def linear(x: nn.Vector, w: nn.Matrix) -> nn.Vector:
        counted.append(1)
        return nn.linear(x, w)

    monkeypatch.setattr(step3, "linear", linear)
    weights, tokens = step3_weights("trained"), document("emma")[:-1]
    cache, anew = Cache(), [0]
    for count, token in enumerate(tokens, 1):
        step3.forward(token, weights, cache)
        assert shown["cached"][count] == len(counted)
        assert shown["kept"][count] == sum(map(len, cache.keys + cache.values))
    for count in range(1, len(tokens) + 1):
        before, fresh = len(counted), Cache()
        for token in tokens[:count]:
            step3.forward(token, weights, fresh)
        anew.append(anew[-1] + len(counted) - before)
    assert shown["anew"] == anew
    assert shown["kept"][0] == shown["cached"][0] == 0


test_a_name_that_cannot_be_read_is_refused = refusals(
    cache_mask,
    {},
    ({"name": "Emma"}, "type 'emma', in small letters"),
    ({"name": "alexandra"}, "at most 8 letters: this has 9"),
)
