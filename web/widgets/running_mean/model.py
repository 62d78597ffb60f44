"""The running mean that Adam keeps of a gradient: how steady it is, and how late."""

import json
import math
import random
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypedDict

from microgpt import Adam, Value
from widgets._names import SEED
from widgets._numbers import significant
from widgets._tracing import calls

STEPS = 100
LARGEST = 0.99  # a β, so that something happens within the steps

Series = Literal["jump", "noise", "gradient"]


class RunningMean(TypedDict):
    """A series of gradients and its mean after each of them.

    `corrected` is the mean divided by `share`, what the weights of the values so far add
    up to; both are empty if not asked for. `newest` is the weight of the newest value,
    `window` is 1 / (1 − β), `held` what the weights of so many newest values add up to. After a
    jump the mean takes `half` steps to come half the way. `series_moves` and
    `mean_moves` are the mean sizes of the moves from one step to the next.
    """

    values: list[float]
    mean: list[float]
    share: list[float]
    corrected: list[float]
    newest: float
    window: float
    held: float
    half: int
    series_moves: float
    mean_moves: float


def running_mean(beta: float, series: Series, corrected: bool) -> RunningMean:
    """Let Adam see a series, with a learning rate of 0, and watch its first mean."""
    if not 0 <= beta <= LARGEST:
        raise ValueError(f"β: choose from 0 to {LARGEST}")
    values = gradients(series)
    mean, share, divided = followed(values, beta)
    window = 1 / (1 - beta)
    weights, _, _ = followed([1.0] * 2 * math.ceil(window), beta)
    return RunningMean(
        values=[significant(x, 4) for x in values],
        mean=[significant(x, 4) for x in mean],
        share=[significant(x, 4) for x in share] if corrected else [],
        corrected=[significant(x, 4) for x in divided] if corrected else [],
        newest=significant(weights[0], 4),
        window=significant(window, 3),
        held=significant(weights[round(window) - 1], 2),
        half=1 + next(i for i, weight in enumerate(weights) if weight >= 0.5),
        series_moves=significant(moves(values)),
        mean_moves=significant(moves(mean)),
    )


def followed(
    values: list[float], beta: float
) -> tuple[list[float], list[float], list[float]]:
    """Return Adam's mean after each value, its share, and the mean it steps by."""
    parameter = Value(0.0)
    optimizer = Adam([parameter], beta1=beta)
    means, shares, divided = [], [], []
    for value in values:
        parameter.grad = value
        (step,) = calls(lambda: optimizer.step(0.0), (Adam.step,))
        means.append(optimizer.first[0])
        shares.append(step.variables["correction1"])
        divided.append(step.variables["mean"])
    return means, shares, divided


def gradients(series: Series) -> list[float]:
    """Return a series: made up, with a jump or without, or that of a real run."""
    if series == "gradient":
        return list(real_gradients())
    if series not in ("jump", "noise"):
        raise ValueError("series: choose jump, noise or gradient")
    rng = random.Random(SEED)
    levels = [0.0] * STEPS
    if series == "jump":
        levels = [1.0] * (STEPS // 2) + [-1.0] * (STEPS // 2)
    return [level + rng.gauss(0, 0.7) for level in levels]


@cache
def real_gradients() -> tuple[float, ...]:
    """Return the gradients of lm_head[a][0] in the first steps of Step 5's run.

    They are recorded (snippets/records/runs.py): readers would wait for seconds.
    """
    recorded = Path(__file__).with_name("gradients.json").read_text("utf-8")
    return tuple(json.loads(recorded))


def moves(values: list[float]) -> float:
    """Return the mean size of a move from one value to the next."""
    return sum(abs(b - a) for a, b in pairwise(values)) / (len(values) - 1)
