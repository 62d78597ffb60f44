"""What examples begin with, in one line of a page: names, tables and networks."""

import inspect
import math
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from microgpt import (
    GPT,
    SGD,
    Adam,
    Config,
    Run,
    Tokenizer,
    Value,
    document_loss,
    dot,
    linear,
    linear_decay,
    load_model,
    load_names,
    rmsnorm,
    softmax,
)
from microgpt.attention import Cache
from microgpt.engines import value
from microgpt.nn import Vector, gaussian_matrix
from snippets import step1, step2, step3
from snippets.step0 import Counts, count_pairs, zero_counts

SEED = 42  # of every program of the ladder


def begun(
    docs: Path | None = None, seed: int = SEED
) -> tuple[list[str], Tokenizer, random.Random]:
    """Return the shuffled names, their tokenizer, and the random generator."""
    names, rng = load_names(docs), random.Random(seed)
    rng.shuffle(names)
    return names, Tokenizer(names), rng


def shuffled() -> tuple[list[str], Tokenizer]:
    """Return the names in the order that every program reads them in, and their tokenizer."""
    names, tokenizer, _ = begun()
    return names, tokenizer


def counted(read: int = 1000) -> tuple[list[str], Tokenizer, Counts]:
    """Return the names, their tokenizer, and Step 0's table after so many names."""
    names, tokenizer = shuffled()
    counts = zero_counts(tokenizer.vocab_size)
    for name in names[:read]:
        count_pairs(tokenizer.document(name), counts)
    return names, tokenizer, counts


def untrained() -> tuple[list[str], Tokenizer, step1.Weights]:
    """Return the names, their tokenizer, and the weights that Step 1 begins with."""
    names, tokenizer, rng = begun()
    weights = step1.initial_weights(tokenizer.vocab_size, rng)
    return names, tokenizer, weights


def untrained_values() -> tuple[list[str], Tokenizer, step2.Weights]:
    """Return the same for Step 2: the same numbers, each a `Value`."""
    names, tokenizer, rng = begun()
    weights = step2.initial_weights(tokenizer.vocab_size, rng)
    return names, tokenizer, weights


def untrained_attention() -> tuple[list[str], Tokenizer, step3.Weights]:
    """Return the same for Step 3."""
    names, tokenizer, rng = begun()
    weights = step3.initial_weights(tokenizer.vocab_size, rng)
    return names, tokenizer, weights


def untrained_gpt() -> tuple[list[str], Tokenizer, GPT]:
    """Return the names, their tokenizer, and the GPT that Steps 4 to 6 begin with."""
    names, tokenizer, rng = begun()
    model = GPT(Config(vocab_size=tokenizer.vocab_size), rng)
    return names, tokenizer, model


def gradient_sizes(model: GPT, documents: list[list[int]]) -> dict[str, float]:
    """Return the root mean square of each matrix's gradients for some documents."""
    grads: dict[str, list[float]] = {name: [] for name in model.weights}
    for tokens in documents:
        document_loss(model, tokens).backward()
        for name, matrix in model.weights.items():
            grads[name] += [p.grad for row in matrix for p in row]
        SGD(model.parameters()).zero_grad()
    return {name: _size(found) for name, found in grads.items()}


def distances(model: GPT) -> dict[str, float]:
    """Return the root mean square of each matrix's moves since `untrained_gpt`."""
    _, _, start = untrained_gpt()
    found = {}
    for name, matrix in model.weights.items():
        moves = [
            now.data - before.data
            for row, first in zip(matrix, start.weights[name])
            for now, before in zip(row, first)
        ]
        found[name] = _size(moves)
    return found


def _size(numbers: list[float]) -> float:
    """Return the root mean square."""
    return math.hypot(*numbers) / math.sqrt(len(numbers))


def before_attention(tokens: list[int], weights: step3.Weights) -> list[Vector]:
    """Return the vector of each token, as it comes to Step 3's attention."""
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


def coin_losses(masked: bool, steps: int = 100) -> float:
    """Train Step 3 on tosses of a coin, all at once; return the mean of the last half of its losses.

    A toss is a name of one letter, "a" or "b".
    """
    _, tokenizer, weights = untrained_attention()
    rng, losses = random.Random(SEED), []
    optimizer = Adam(step3.parameters(weights))
    for _ in range(steps):
        tokens = tokenizer.document(rng.choice("ab"))
        stream = before_attention(tokens[:-1], weights)
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


def embedding_gradient(seed: int, residual: bool) -> float:
    """Return how long the gradient of `wte` is in an untrained network, for "emma".

    Without `residual`, attention and the MLP of Step 3 don't add x to what they make.
    """
    added = "[o + xi for o, xi in zip(output, x)]"
    program = vars(step3) if residual else _changed(step3, added, "output", 2)
    forward = program["forward"]
    _, tokenizer, rng = begun(seed=seed)
    weights = step3.initial_weights(tokenizer.vocab_size, rng)
    tokens, cache = tokenizer.document("emma"), Cache()
    losses = []
    for token, target in zip(tokens, tokens[1:]):
        probabilities = softmax(forward(token, weights, cache))
        losses.append(-probabilities[target].log())
    (Value.sum(losses) / len(losses)).backward()
    return math.hypot(*(p.grad for row in weights["wte"] for p in row))


def short_run(rate: float, norm: bool) -> str:
    """Train Step 3 on forty names; return the mean of the last ten losses.

    Without `norm`, vectors pass as they are. A loss that is no number ends the run.
    """
    names, tokenizer, weights = untrained_attention()
    program = vars(step3) if norm else _changed(step3, "rmsnorm(", "list(", 3)
    optimizer = SGD(step3.parameters(weights))
    losses = []
    for step, name in enumerate(names[:40]):
        now = linear_decay(rate, step, 1000)
        tokens = tokenizer.document(name)
        try:
            losses.append(program["train_step"](tokens, weights, optimizer, now))
        except ValueError:
            return f"broke down after {step} names"
    return f"{sum(losses[-10:]) / 10:.2f}"


def forty_steps(dot: Callable[[Vector, Vector], Value]) -> float:
    """Train for forty steps with this dot product; return the mean of the last twenty losses."""
    from unittest.mock import patch  # which no other page must wait for

    run = Run(load_names(), Config(), 1000, engine=value.Engine)
    with patch.object(value, "dot", dot):
        losses = list(run.train(stop=40))
    return sum(losses[20:]) / 20


def per_token(
    loss_of: Callable[[list[int]], float], documents: list[list[int]]
) -> float:
    """Return the mean loss over all tokens, from each document's own mean."""
    asked = [len(tokens) - 1 for tokens in documents]
    paid = [loss_of(tokens) * n for tokens, n in zip(documents, asked)]
    return sum(paid) / sum(asked)


def means(losses: list[float], window: int) -> list[float]:
    """Return, for each loss, the mean of the last `window` losses up to it."""
    ends = range(1, len(losses) + 1)
    parts = [losses[max(0, end - window) : end] for end in ends]
    return [sum(part) / len(part) for part in parts]


def edit_distance(a: str, b: str) -> int:
    """Return how many letters to change, add or drop to get from `a` to `b`."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        left, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            change = left + (x != y)
            left = row[j]
            row[j] = min(row[j] + 1, row[j - 1] + 1, change)
    return row[-1]


def looks(weights: step1.Weights, name: str, heads: int = 1) -> list[list[float]]:
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


# A parameter: its matrix, its row, its column
Place = tuple[str, int, int]


def nudged(
    tokens: list[int],
    weights: step1.Weights,
    every: int = 1,
    epsilon: float = 1e-5,
) -> dict[Place, float]:
    """Return the slope of every `every`-th parameter, by a forward difference."""
    loss, slopes = step1.mean_loss(tokens, weights), {}
    places = [
        (name, i, j)
        for name, matrix in weights.items()
        for i, row in enumerate(matrix)
        for j in range(len(row))
    ]
    for name, i, j in places[::every]:
        row = weights[name][i]
        old, row[j] = row[j], row[j] + epsilon
        slopes[name, i, j] = (step1.mean_loss(tokens, weights) - loss) / epsilon
        row[j] = old
    return slopes


def wrong_slopes(
    gradient: step1.Weights,
    slopes: dict[Place, float],
    limit: float = 1e-6,
) -> str:
    """Say how many slopes of each matrix a gradient gets wrong by more than a limit."""
    gaps = {
        place: abs(slope - gradient[place[0]][place[1]][place[2]])
        for place, slope in slopes.items()
    }
    said = []
    for name in gradient:
        own = [gap > limit for place, gap in gaps.items() if place[0] == name]
        said.append(f"{name} {sum(own)} of {len(own)}")
    return f"{', '.join(said)} wrong, by up to {max(gaps.values()):.0e}"


Gradient = Callable[[list[int], step1.Weights], step1.Weights]


def broken_gradients() -> dict[str, Gradient]:
    """Return copies of Step 1's gradient, each with a mistake in one line."""
    mistakes = {
        "A": ("d * (h > 0)", "d"),
        "B": ("-= 1 / len(pairs)", "-= 0"),
        "C": ("[token][j] += d", "[token][j] = d"),
    }
    return {
        letter: _changed(step1, *change)["analytic_gradient"]
        for letter, change in mistakes.items()
    }


def _changed(program: ModuleType, old: str, new: str, times: int = 1) -> dict[str, Any]:
    """Return what a program defines once a piece of its text is replaced."""
    source = inspect.getsource(program)
    if source.count(old) != times:
        raise ValueError(f"{program.__name__} must contain {old!r} {times} times")
    names = dict(vars(program))
    exec(source.replace(old, new), names)  # noqa: S102
    return names


def given_by_vowels(weights: step1.Weights, back: int) -> tuple[float, float, int]:
    """Return the mean attention that vowels give to the letter so many before them.

    First where that is a consonant, then where it is a vowel, then of how many names
    both are the means: those that training to the end kept aside.
    """
    names, _ = shuffled()
    known = set(names[: len(names) * 9 // 10])
    held_out = [name for name in names if name not in known]
    vowels = "aeiouy"
    given: dict[bool, list[float]] = {True: [], False: []}
    for name in held_out:
        shares = looks(weights, name)
        for i in range(back, len(name)):
            if name[i] in vowels:
                # A name's first letter is its second token
                given[name[i - back] in vowels].append(shares[i + 1][i + 1 - back])
    consonant, vowel = (
        sum(given[is_vowel]) / len(given[is_vowel]) for is_vowel in (False, True)
    )
    return consonant, vowel, len(held_out)


def stages(name: str) -> list[dict[str, list[float]]]:
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
