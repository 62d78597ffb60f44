"""Attention from inside, and Step 3 without one of its parts."""

import math
import random
from collections.abc import Callable
from functools import cache

from microgpt import (
    SGD,
    Adam,
    Tokenizer,
    Value,
    dot,
    linear,
    linear_decay,
    load_model,
    load_names,
    rmsnorm,
    softmax,
)
from microgpt.nn import Vector, gaussian_matrix
from snippets import step1, step3
from snippets.ready import SEED, load_shuffled_names, shuffled, untrained_attention


def attention_inputs(tokens: list[int], weights: step3.Weights) -> list[Vector]:
    """Return the vector of each token that Step 3's attention gets."""
    rows = [
        zip(weights["wte"][token], place)
        for token, place in zip(tokens, weights["wpe"])
    ]
    return [rmsnorm([t + p for t, p in row]) for row in rows]


def masked_attention(
    stream: list[Vector], weights: step3.Weights, masked: bool
) -> list[Vector]:
    """Return what Step 3's attention makes of all tokens at once.

    With `masked`, scores of later tokens are −∞, as in programs without a cache.
    """
    queries, keys, values = [
        [linear(rmsnorm(x), weights[f"attn_{name}"]) for x in stream]
        for name in ("wq", "wk", "wv")
    ]
    result = []
    for i, (query, x) in enumerate(zip(queries, stream)):
        scores = [dot(query, key) * len(query) ** -0.5 for key in keys]
        if masked:
            later = len(scores[i + 1 :])
            scores[i + 1 :] = [Value(-math.inf)] * later
        p = softmax(scores)
        gathered = [dot(p, list(column)) for column in zip(*values)]
        output = linear(gathered, weights["attn_wo"])
        result.append([o + xi for o, xi in zip(output, x)])
    return result


def mean_coin_loss(masked: bool, steps: int = 100) -> float:
    """Train Step 3 on tosses of a coin, all at once; return the mean of the last half of its losses.

    A toss is a name of one letter, "a" or "b".
    """
    _, tokenizer, weights = untrained_attention()
    rng, losses = random.Random(SEED), []
    optimizer = Adam(step3.parameters(weights))
    for _ in range(steps):
        tokens = tokenizer.document(rng.choice("ab"))
        stream = attention_inputs(tokens[:-1], weights)
        after = masked_attention(stream, weights, masked)
        surprises = []
        for x, answer in zip(after, tokens[1:]):
            logits = linear(step3.mlp(x, weights), weights["lm_head"])
            surprises.append(-softmax(logits)[answer].log())
        loss = Value.sum(surprises) / len(surprises)
        loss.backward()
        optimizer.step(0.03)
        optimizer.zero_grad()
        losses.append(loss.data)
    return sum(losses[steps // 2 :]) / (steps - steps // 2)


def peeking_losses(
    gather: Callable[[list[Vector], list[Vector], list[Vector]], list[Vector]],
) -> list[float]:
    """Train what `gather` makes into logits; return two losses on new names.

    The first is of names read at once, the second of names read as sampling does, when
    nothing comes after yet. Queries and keys belong to positions, values to tokens.
    """
    names, tokenizer = shuffled()
    rng = random.Random(SEED)
    queries, keys = (gaussian_matrix(16, 8, 0.3, rng) for _ in range(2))
    letters = gaussian_matrix(27, 27, 0.08, rng)

    def whole(tokens: list[int]) -> list[Vector]:
        n, values = len(tokens), [letters[token] for token in tokens]
        return gather(queries[:n], keys[:n], values)

    def letter_by_letter(tokens: list[int]) -> list[Vector]:
        ends = range(1, len(tokens) + 1)
        return [whole(tokens[:end])[-1] for end in ends]

    def loss(read: Callable[[list[int]], list[Vector]], name: str) -> Value:
        tokens = tokenizer.document(name)
        pairs = zip(read(tokens[:-1]), tokens[1:])
        losses = [-softmax(logits)[t].log() for logits, t in pairs]
        return Value.sum(losses) / len(losses)

    matrices = (queries, keys, letters)
    optimizer = SGD([p for m in matrices for row in m for p in row])
    for name in names[:150]:
        loss(whole, name).backward()
        optimizer.step(8.0)
        optimizer.zero_grad()
    return [
        sum(loss(read, n).data for n in names[150:170]) / 20
        for read in (whole, letter_by_letter)
    ]


def embedding_gradient_norm(seed: int, residual: bool) -> float:
    """Return the length of the gradient of `wte` in an untrained network, for "emma".

    Without `residual`, attention and the MLP of Step 3 don't add x to what they make.
    """
    from unittest.mock import patch  # which no other page must wait for

    def changed(layer: Callable[..., Vector]) -> Callable[..., Vector]:
        def without_x(x: Vector, *rest: object) -> Vector:
            return [o - xi for o, xi in zip(layer(x, *rest), x)]

        return layer if residual else without_x

    _, tokenizer, rng = load_shuffled_names(seed=seed)
    weights = step3.initial_weights(tokenizer.vocab_size, rng)
    with (
        patch.object(step3, "attention", changed(step3.attention)),
        patch.object(step3, "mlp", changed(step3.mlp)),
    ):
        step3.mean_loss(tokenizer.document("emma"), weights).backward()
    return math.hypot(*(p.grad for row in weights["wte"] for p in row))


def short_run_loss(rate: float, norm: bool) -> str:
    """Train Step 3 on forty names; return the mean of the last ten losses.

    Without `norm`, vectors pass as they are. A loss that is no number ends the run.
    """
    from unittest.mock import patch  # which no other page must wait for

    names, tokenizer, weights = untrained_attention()
    optimizer = SGD(step3.parameters(weights))
    losses = []
    with patch.object(step3, "rmsnorm", rmsnorm if norm else list):
        for step, name in enumerate(names[:40]):
            now = linear_decay(rate, step, 1000)
            tokens = tokenizer.document(name)
            try:
                losses.append(step3.train_step(tokens, weights, optimizer, now))
            except ValueError:
                return f"broke down after {step} names"
    return f"{sum(losses[-10:]) / 10:.2f}"


def attention_weights(
    weights: step1.Weights, name: str, heads: int = 1
) -> list[list[float]]:
    """Return the attention weights of a model with one layer, as it reads a name.

    Each token has a list for each head, one after the other.
    """
    tokens = _tokenizer().document(name)[:-1]
    found: list[list[float]] = []
    keys: list[list[float]] = []
    for place, token in enumerate(tokens):
        pair = zip(weights["wte"][token], weights["wpe"][place])
        x = _rmsnorm(_rmsnorm([t + p for t, p in pair]))
        query = step1.linear(x, weights["layer0.attn_wq"])
        keys.append(step1.linear(x, weights["layer0.attn_wk"]))
        width = len(query) // heads
        for start in range(0, len(query), width):
            head = slice(start, start + width)
            scores = step1.linear(query[head], [k[head] for k in keys])
            found.append(step1.softmax([s * width**-0.5 for s in scores]))
    return found


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer(load_names())


def _rmsnorm(x: list[float]) -> list[float]:
    """Scale a vector to a mean square of 1, as the package does."""
    scale = (sum(xi * xi for xi in x) / len(x) + 1e-5) ** -0.5
    return [scale * xi for xi in x]


def vowel_attention(weights: step1.Weights, back: int) -> tuple[float, float, int]:
    """Return the mean attention weight of vowels on the letter `back` places before them.

    First where that is a consonant, then where it is a vowel, then of how many names
    both are the means: those that training to the end kept aside.
    """
    names, _ = shuffled()
    known = set(names[: len(names) * 9 // 10])
    held_out = [name for name in names if name not in known]
    vowels = "aeiouy"
    given: dict[bool, list[float]] = {True: [], False: []}
    for name in held_out:
        shares = attention_weights(weights, name)
        for i in range(back, len(name)):
            if name[i] in vowels:
                # A name's first letter is its second token
                given[name[i - back] in vowels].append(shares[i + 1][i + 1 - back])
    consonant, vowel = (
        sum(given[is_vowel]) / len(given[is_vowel]) for is_vowel in (False, True)
    )
    return consonant, vowel, len(held_out)


def forward_stages(name: str) -> list[dict[str, list[float]]]:
    """Return the vectors of each token of a name on its way through the trained model."""
    model, tokenizer = load_model()
    weights = {key.removeprefix("layer0."): m for key, m in model.weights.items()}
    cache, found = model.new_cache()[0], []
    for token, place in zip(tokenizer.document(name)[:-1], weights["wpe"]):
        both = [t + p for t, p in zip(weights["wte"][token], place, strict=True)]
        x = rmsnorm(both)
        attended = model.attention(x, 0, cache)
        end = model.mlp(attended, 0)
        vectors = {
            "letter + place": both,
            "RMSNorm": x,
            "query": linear(rmsnorm(x), weights["attn_wq"]),
            "key, value": cache.keys[-1] + cache.values[-1],
            "attention": attended,
            "RMSNorm, fc1": linear(rmsnorm(attended), weights["mlp_fc1"]),
            "ReLU, fc2, add": end,
            "lm_head": linear(end, weights["lm_head"]),
        }
        found.append({stage: [x.data for x in row] for stage, row in vectors.items()})
    return found
