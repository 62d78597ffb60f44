"""Mean losses of runs and documents, and the edit distance of two names."""

import math
from collections.abc import Callable
from itertools import pairwise

from microgpt import Config, Run, Value, load_names
from microgpt.engines import value
from microgpt.nn import Vector
from snippets.ready import load_shuffled_names
from snippets.step0 import count_pairs, probabilities, zero_counts


def loss_after_forty_steps(dot: Callable[[Vector, Vector], Value]) -> float:
    """Train with a given dot product; return the mean loss of steps 21 to 40."""
    from unittest.mock import patch  # which no other page must wait for

    run = Run(load_names(), Config(), 1000, engine=value.Engine)
    with patch.object(value, "elementary_dot", dot):
        losses = list(run.train(stop=40))
    return sum(losses[20:]) / 20


def loss_per_token(
    mean_loss: Callable[[list[int]], float], documents: list[list[int]]
) -> float:
    """Return the mean loss per token of all documents, given that of a document."""
    counts = [len(tokens) - 1 for tokens in documents]
    totals = [mean_loss(tokens) * count for tokens, count in zip(documents, counts)]
    return sum(totals) / sum(counts)


def smoothed_losses(smoothing: float) -> list[float]:
    """Return the held-out loss of Step 0's table for each of ten shuffles of the names."""
    losses = []
    for seed in range(10):
        names, tokenizer, _ = load_shuffled_names(seed=seed)
        documents = [tokenizer.document(name) for name in names]
        counts = zero_counts(tokenizer.vocab_size)
        for tokens in documents[:1000]:
            count_pairs(tokens, counts)
        vocabulary = range(tokenizer.vocab_size)
        table = [probabilities(token, counts, smoothing) for token in vocabulary]
        pairs = [pair for tokens in documents[1000:] for pair in pairwise(tokens)]
        total = sum(-math.log(table[token][target]) for token, target in pairs)
        losses.append(total / len(pairs))
    return losses


def running_means(losses: list[float], window: int) -> list[float]:
    """Return, for each loss, the mean of the `window` losses that end with it."""
    ends = range(1, len(losses) + 1)
    windows = [losses[max(0, end - window) : end] for end in ends]
    return [sum(each) / len(each) for each in windows]


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
