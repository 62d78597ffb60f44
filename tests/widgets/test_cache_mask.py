"""A cache and a mask give the same numbers, and no mask gives others."""

from __future__ import annotations

import math

import pytest

from microgpt.attention import Cache
from snippets import step3
from widgets._gpt import numbers, step3_weights
from widgets._names import tokenizer_of_the_names
from widgets.cache_mask.model import CacheAttention, cache_mask

NAMES = ("emma", "o", "margaret")


def after_reading(name: str) -> Cache:
    """Return the cache of Step 3 after a name was read."""
    weights, cache = step3_weights("trained"), Cache()
    for token in tokenizer_of_the_names().document(name)[:-1]:
        step3.forward(token, weights, cache)
    return cache


def close(values: list[float]) -> object:
    return pytest.approx(values, rel=0.006, abs=1e-9)


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
        assert masked[: row + 1] == cached
        assert masked[row + 1 :] == [0.0] * (count - row - 1)


@pytest.mark.parametrize("name", NAMES)
def test_without_a_mask_all_rows_differ_but_the_last(name: str) -> None:
    shown = cache_mask(name)
    *others, last = shown["unmasked"]["apart"]
    assert last == 0.0
    assert all(apart > 0 for apart in others)
    assert shown["unmasked"]["weights"][-1] == shown["cache"]["weights"][-1]


def without_mask(name: str) -> tuple[list[list[float]], list[int]]:
    """Compute in floats the logits of tokens that all attend to all."""
    tokens = tokenizer_of_the_names().document(name)
    w = {
        matrix: [numbers(row) for row in rows]
        for matrix, rows in step3_weights("trained").items()
    }

    def times(matrix: str, x: list[float]) -> list[float]:
        return [sum(a * b for a, b in zip(row, x, strict=True)) for row in w[matrix]]

    def norm(x: list[float]) -> list[float]:
        size = math.sqrt(sum(xi * xi for xi in x) / 16 + 1e-5)
        return [xi / size for xi in x]

    embedded = [(w["wte"][token], w["wpe"][at]) for at, token in enumerate(tokens[:-1])]
    xs = [norm([t + p for t, p in zip(*rows, strict=True)]) for rows in embedded]
    keys, values = (
        [times(matrix, norm(x)) for x in xs] for matrix in ("attn_wk", "attn_wv")
    )
    logits = []
    for x in xs:
        query = times("attn_wq", norm(x))
        exps = [
            math.exp(sum(q * k for q, k in zip(query, key, strict=True)) / 4)
            for key in keys
        ]
        mixed = [
            sum(e * value[i] for e, value in zip(exps, values, strict=True)) / sum(exps)
            for i in range(16)
        ]
        x = [a + b for a, b in zip(x, times("attn_wo", mixed), strict=True)]
        active = [max(0.0, h) for h in times("mlp_fc1", norm(x))]
        x = [a + b for a, b in zip(x, times("mlp_fc2", active), strict=True)]
        logits.append(times("lm_head", x))
    return logits, tokens[1:]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_missing_mask_does_to_logits_and_loss_is_measured(name: str) -> None:
    shown = cache_mask(name)["unmasked"]
    logits, targets = without_mask(name)
    weights, cache = step3_weights("trained"), Cache()
    losses = []
    read = tokenizer_of_the_names().document(name)[:-1]
    for at, (token, row, target) in enumerate(zip(read, logits, targets, strict=True)):
        true = numbers(step3.forward(token, weights, cache))
        apart = max(abs(a - b) for a, b in zip(row, true, strict=True))
        assert shown["apart"][at] == pytest.approx(apart, rel=0.006, abs=1e-9)
        exps = [math.exp(logit) for logit in row]
        losses.append(-math.log(exps[target] / sum(exps)))
    loss = sum(losses) / len(losses)
    assert shown["loss"] == pytest.approx(loss, rel=1e-4)


def assert_weights_are_softmax_of_scores(attention: CacheAttention) -> None:
    for scores, weights in zip(attention["scores"], attention["weights"], strict=True):
        exps = [math.exp(score) for score in scores]
        assert weights[: len(scores)] == pytest.approx(
            [exp / sum(exps) for exp in exps], abs=0.005
        )
        assert sum(weights) == pytest.approx(1, abs=0.005)


def test_scores_are_scaled_dot_products_of_queries_and_keys() -> None:
    shown = cache_mask("emma")
    for way in (shown["cache"], shown["unmasked"], shown["masked"]):
        assert_weights_are_softmax_of_scores(way)
    cache = after_reading("emma")
    assert [numbers(key) for key in cache.keys] == [close(k) for k in shown["keys"]]
    assert [numbers(v) for v in cache.values] == [close(v) for v in shown["values"]]
    for row, scores in enumerate(shown["cache"]["scores"]):
        assert len(scores) == row + 1
        assert shown["unmasked"]["scores"][row][: row + 1] == scores


def test_the_loss_of_the_cache_is_that_of_the_program() -> None:
    tokens = tokenizer_of_the_names().document("emma")
    loss = step3.mean_loss(tokens, step3_weights("trained")).data
    assert cache_mask("emma")["cache"]["loss"] == pytest.approx(loss, abs=1e-4)


def test_linear_layers_and_kept_numbers_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = cache_mask("emma")
    counted = []
    linear = step3.linear
    monkeypatch.setattr(step3, "linear", lambda *a: counted.append(1) or linear(*a))
    weights = step3_weights("trained")
    tokens = tokenizer_of_the_names().document("emma")[:-1]
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


def test_a_name_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="type 'emma', in small letters"):
        cache_mask("Emma")
    with pytest.raises(ValueError, match="at most 8 letters: this has 9"):
        cache_mask("alexandra")
