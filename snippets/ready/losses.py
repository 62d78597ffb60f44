"""Losses of several runs and names, and how far one name is from another."""

from collections.abc import Callable

from microgpt import Config, Run, Value, load_names
from microgpt.engines import value
from microgpt.nn import Vector


def loss_after_forty_steps(dot: Callable[[Vector, Vector], Value]) -> float:
    """Train for forty steps with a dot product; return the mean of the last twenty losses."""
    from unittest.mock import patch  # which no other page must wait for

    run = Run(load_names(), Config(), 1000, engine=value.Engine)
    with patch.object(value, "elementary_dot", dot):
        losses = list(run.train(stop=40))
    return sum(losses[20:]) / 20


def loss_per_token(
    loss_of: Callable[[list[int]], float], documents: list[list[int]]
) -> float:
    """Return the mean loss per token over documents, from the mean loss of each."""
    counts = [len(tokens) - 1 for tokens in documents]
    totals = [loss_of(tokens) * count for tokens, count in zip(documents, counts)]
    return sum(totals) / sum(counts)


def running_means(losses: list[float], window: int) -> list[float]:
    """Return, for each loss, the mean of the last `window` losses up to it."""
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
