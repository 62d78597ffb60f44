"""What examples begin with, in one line of a page: names, tables and networks."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable

from microgpt import Tokenizer, load_names
from snippets import step1, step2
from snippets.step0 import Counts, count_pairs, zero_counts

SEED = 42  # of every program of the ladder


def shuffled() -> tuple[list[str], Tokenizer]:
    """Return the names in the order that every program reads them in, and their tokenizer."""
    names, tokenizer, _ = _begun()
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
    names, tokenizer, rng = _begun()
    return (
        names,
        tokenizer,
        step1.initial_weights(tokenizer.vocab_size, rng),
    )


def untrained_values() -> tuple[list[str], Tokenizer, step2.Weights]:
    """Return the same for Step 2: the same numbers, each a `Value`."""
    names, tokenizer, rng = _begun()
    return (
        names,
        tokenizer,
        step2.initial_weights(tokenizer.vocab_size, rng),
    )


def _begun() -> tuple[list[str], Tokenizer, random.Random]:
    """Return the shuffled names, their tokenizer, and the random generator."""
    names, rng = load_names(), random.Random(SEED)
    rng.shuffle(names)
    return names, Tokenizer(names), rng


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


def looks(
    weights: step1.Weights, name: str, heads: int = 1
) -> list[list[float]]:
    """Return the attention weights of a model with one layer, as it reads a name.

    Each token has a list for each head, one after the other.
    """
    tokens = Tokenizer(load_names()).document(name)[:-1]
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
            found.append(
                step1.softmax([s * width**-0.5 for s in scores])
            )
    return found


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
    rows = [
        (name, i, row)
        for name in weights
        for i, row in enumerate(weights[name])
    ]
    places = [
        (name, i, j, row)
        for name, i, row in rows
        for j in range(len(row))
    ]
    for name, i, j, row in places[::every]:
        old = row[j]
        row[j] = old + epsilon
        slopes[name, i, j] = (
            step1.mean_loss(tokens, weights) - loss
        ) / epsilon
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
        own = [
            gap > limit
            for place, gap in gaps.items()
            if place[0] == name
        ]
        said.append(f"{name} {sum(own)} of {len(own)}")
    return f"{', '.join(said)} wrong, by up to {max(gaps.values()):.0e}"


Gradient = Callable[[list[int], step1.Weights], step1.Weights]


def broken_gradients() -> dict[str, Gradient]:
    """Return copies of Step 1's gradient, each with a mistake in one line."""
    return {
        "A": _changed("d * (h > 0)", "d"),
        "B": _changed("-= 1 / len(pairs)", "-= 0"),
        "C": _changed("[token][j] += d", "[token][j] = d"),
    }


def _changed(old: str, new: str) -> Gradient:
    """Return a copy of `analytic_gradient` with one piece of its text replaced."""
    function = step1.analytic_gradient
    source = inspect.getsource(function)
    if source.count(old) != 1:
        raise ValueError(
            f"{function.__name__} must contain {old!r} exactly once"
        )
    names = dict(vars(step1))
    exec(source.replace(old, new), names)  # noqa: S102
    changed: Gradient = names[function.__name__]
    return changed
