"""The running mean that Adam keeps of a gradient: how steady it is, and how late."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Literal, TypedDict, get_args

from widgets._names import SEED
from widgets._numbers import significant

STEPS = 100
LARGEST = 0.99  # a β, so that something happens within the steps

Series = Literal["jump", "noise", "gradient"]


class RunningMean(TypedDict):
    """Series of gradients: a jump in noise, noise alone, and those of a real run."""

    jump: list[float]
    noise: list[float]
    gradient: list[float]


def running_mean(beta: float, series: Series, corrected: bool) -> RunningMean:
    """Return all series; what the page opens with is one of them, and its β."""
    if not 0 <= beta <= LARGEST:
        raise ValueError(f"β: choose from 0 to {LARGEST}")
    if series not in get_args(Series):
        raise ValueError(f"series: choose {', '.join(get_args(Series))}")
    jump = [1.0] * (STEPS // 2) + [-1.0] * (STEPS // 2)
    return RunningMean(
        jump=noise_around(jump),
        noise=noise_around([0.0] * STEPS),
        gradient=[significant(x, 6) for x in real_gradients()],
    )


def noise_around(levels: list[float]) -> list[float]:
    """Return the levels, each with noise of its own."""
    rng = random.Random(SEED)
    return [significant(level + rng.gauss(0, 0.7), 6) for level in levels]


@cache
def real_gradients() -> tuple[float, ...]:
    """Return the gradients of lm_head[a][0] in the first steps of Step 5's run.

    They are recorded (snippets/records/runs.py): readers would wait for seconds.
    """
    recorded = Path(__file__).with_name("gradients.json").read_text("utf-8")
    return tuple(json.loads(recorded))
