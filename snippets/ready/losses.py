"""Mean losses of runs and documents, and the edit distance of two names."""

import math
import sys
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from statistics import fmean as mean

from microgpt import Config, Run, Tokenizer, Value, load_model, load_names
from microgpt.engines import value
from microgpt.nn import Vector
from microgpt.training import train
from snippets import step1
from snippets.ready import load_shuffled_names, untrained_gpt
from snippets.step0 import Counts, count_pairs, probabilities, zero_counts
from snippets.step1 import Weights


def loss_after_forty_steps(dot: Callable[[Vector, Vector], Value]) -> float:
    """Train with a given dot product; return the mean loss of steps 21 to 40."""
    from unittest.mock import patch  # which no other page must wait for

    run = Run(load_names(), Config(), 1000, engine=value.Engine)
    with patch.object(value, "elementary_dot", dot):
        losses = list(run.train(stop=40))
    return sum(losses[20:]) / 20


def answers_of_two_models() -> list[list[tuple[list[float], int]]]:
    """Return what two GPTs answer on forty names that neither has read.

    One is the package's, trained on a thousand names; the other has read five names, twenty
    times each. For each guess there is a pair: the logits, and the token that came.
    """
    names, tokenizer, reciter = untrained_gpt()
    documents = [tokenizer.document(name) for name in names]
    deque(train(reciter, documents[:5], 100), maxlen=0)
    return [
        [
            ([logit.data for logit in model.forward(token, cache)], target)
            for tokens in documents[1000:1040]
            for cache in [model.new_cache()]
            for token, target in pairwise(tokens)
        ]
        for model in (load_model()[0], reciter)
    ]


def loss_per_token(
    mean_loss: Callable[[list[int]], float], documents: list[list[int]]
) -> float:
    """Return the mean loss per token of all documents, given that of a document."""
    counts = [len(tokens) - 1 for tokens in documents]
    totals = [mean_loss(tokens) * count for tokens, count in zip(documents, counts)]
    return sum(totals) / sum(counts)


def table_loss(
    names: list[str], tokenizer: Tokenizer, counts: Counts, smoothing: float = 1.0
) -> float:
    """Return the loss per token of Step 0's table on names."""
    rows = [probabilities(token, counts, smoothing) for token in range(len(counts))]
    pairs = [pair for name in names for pair in pairwise(tokenizer.document(name))]
    return sum(-math.log(rows[i][j]) for i, j in pairs) / len(pairs)


def unigram_loss(num_counted: int = 5108) -> float:
    """Return the held-out loss of a model that knows only how common each token is."""
    names, tokenizer, _ = load_shuffled_names()
    counts = zero_counts(tokenizer.vocab_size)
    for name in names[:num_counted]:
        for token in tokenizer.document(name)[1:]:
            counts[0][token] += 1
    return table_loss(names[num_counted:], tokenizer, [counts[0]] * len(counts))


def name_losses(weights: Weights, documents: list[list[int]]) -> list[float]:
    """Return the loss of each name, by Step 1's network, as its `mean_loss` would."""
    tokens = range(len(weights["wte"]))
    table = [step1.softmax(step1.forward(token, weights)) for token in tokens]
    return [
        mean(
            -math.log(table[a][b] or sys.float_info.min) for a, b in pairwise(document)
        )
        for document in documents
    ]


def smoothed_losses(smoothing: float) -> list[float]:
    """Return the held-out loss of Step 0's table for each of ten shuffles of the names."""
    losses = []
    for seed in range(10):
        names, tokenizer, _ = load_shuffled_names(seed=seed)
        counts = zero_counts(tokenizer.vocab_size)
        for name in names[:1000]:
            count_pairs(tokenizer.document(name), counts)
        losses.append(table_loss(names[1000:], tokenizer, counts, smoothing))
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
