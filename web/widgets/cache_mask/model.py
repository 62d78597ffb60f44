"""Attention with a cache, and over a whole name at once, with and without a mask."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TypedDict

from microgpt import Value, dot, linear, rmsnorm, softmax
from microgpt.nn import Vector
from snippets import step3
from widgets._gpt import numbers, read, step3_weights
from widgets._names import document, token_names
from widgets._numbers import significant
from widgets._tracing import Call

LONGEST = 8  # letters: a matrix of their weights can still be read
SCALE = 16**-0.5

Vectors = list[list[float]]


class CacheAttention(TypedDict):
    """Scores and weights, a row for each token that reads.

    A row of the cache has as many numbers as there were tokens. `apart` is the largest
    difference between a row's logits and those with the cache; `loss` is that of the
    whole name.
    """

    scores: Vectors
    weights: Vectors
    apart: list[float]
    loss: float


class CacheMask(TypedDict):
    """A name read with the trained model of Step 3, in three ways.

    After 0, 1, … tokens, `kept` counts the numbers in the cache; `cached` and `anew` the
    linear layers so far: with the cache, and if each token had read all before it again.
    """

    tokens: list[str]
    keys: Vectors
    values: Vectors
    kept: list[int]
    cached: list[int]
    anew: list[int]
    cache: CacheAttention
    unmasked: CacheAttention
    masked: CacheAttention


def cache_mask(name: str) -> CacheMask:
    """Read a name token by token, then as a whole without a mask and with one."""
    tokens = document(name, LONGEST)
    read_tokens, targets = tokens[:-1], tokens[1:]
    calls = read("step3", "trained", read_tokens)
    attentions = [forward.all("attention")[0] for forward in calls]
    heads = [attention.all("attend")[0] for attention in attentions]
    logits = [numbers(forward.result) for forward in calls]
    last = heads[-1].variables
    layers = [linear_layers(forward) for forward in calls]
    kept = [
        len(key) + len(value)
        for key, value in zip(last["keys"], last["values"], strict=True)
    ]
    names = token_names()
    return CacheMask(
        tokens=[names[token] for token in read_tokens],
        keys=[short(key) for key in last["keys"]],
        values=[short(value) for value in last["values"]],
        kept=list(accumulate(kept, initial=0)),
        cached=list(accumulate(layers, initial=0)),
        anew=list(accumulate(accumulate(layers, initial=0))),
        cache=CacheAttention(
            scores=[
                short(head.all("softmax")[0].variables["logits"]) for head in heads
            ],
            weights=[short(head.variables["weights"]) for head in heads],
            apart=[0.0 for _ in heads],
            loss=mean_loss(logits, targets),
        ),
        unmasked=whole(read_tokens, targets, logits, masked=False),
        masked=whole(read_tokens, targets, logits, masked=True),
    )


def whole(
    tokens: list[int], targets: list[int], cached: Vectors, *, masked: bool
) -> CacheAttention:
    """Let every token attend to every token, as one matrix of scores.

    The mask takes from each token those that come after it: a score of minus infinity
    has weight 0.
    """
    weights = step3_weights("trained")
    stream = [
        rmsnorm([t + p for t, p in zip(weights["wte"][token], position, strict=True)])
        for token, position in zip(tokens, weights["wpe"], strict=False)
    ]
    normed = [rmsnorm(x) for x in stream]
    queries, keys, values = (
        [linear(n, weights[name]) for n in normed]
        for name in ("attn_wq", "attn_wk", "attn_wv")
    )
    scores = [[dot(query, key) * SCALE for key in keys] for query in queries]
    if masked:
        hide_what_comes_later(scores)
    shares = [softmax(row) for row in scores]
    logits = []
    for x, row in zip(stream, shares, strict=True):
        gathered = [dot(row, list(column)) for column in zip(*values, strict=True)]
        output = linear(gathered, weights["attn_wo"])
        x = [o + xi for o, xi in zip(output, x, strict=True)]
        x = step3.mlp(x, weights)
        logits.append(numbers(linear(x, weights["lm_head"])))
    return CacheAttention(
        # JSON has no infinity; what is masked has no score.
        scores=[
            short([score for score in row if math.isfinite(score.data)])
            for row in scores
        ],
        weights=[short(row) for row in shares],
        apart=[furthest(*rows) for rows in zip(logits, cached, strict=True)],
        loss=mean_loss(logits, targets),
    )


def hide_what_comes_later(scores: list[Vector]) -> None:
    """Set the scores above the diagonal to minus infinity."""
    for reader, row in enumerate(scores):
        row[reader + 1 :] = [Value(-math.inf) for _ in row[reader + 1 :]]


def linear_layers(call: Call) -> int:
    """Count the linear layers that a call has computed, inside its calls as well."""
    inside = sum(linear_layers(each) for each in call.calls)
    return inside + (call.name == "linear")


def furthest(row: list[float], other: list[float]) -> float:
    """Return the largest difference between two vectors."""
    return significant(max(abs(x - y) for x, y in zip(row, other, strict=True)))


def mean_loss(logits: Vectors, targets: list[int]) -> float:
    """Return the loss of a name, given the logits for each of its tokens."""
    chances = [softmax([Value(logit) for logit in row]) for row in logits]
    losses = [
        -math.log(row[target].data)
        for row, target in zip(chances, targets, strict=True)
    ]
    return significant(sum(losses) / len(losses), 5)


def short(vector: Vector) -> list[float]:
    """Return a vector for readers to see."""
    return [significant(x) for x in numbers(vector)]
