"""How steps are timed: in turn, and the short ones often enough."""

import gc
import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from microgpt import Run
from microgpt.engines.run import LEARNING_RATE, pause_garbage_collection
from microgpt.optim import linear_decay

# Seconds for which a step is repeated, so that a clock can tell its length
LEAST = 0.05
TOLERANCE = 1e-9  # between the losses of all engines at one step
MOST_REPEATS = 200


def summary(seconds: Sequence[float]) -> dict[str, Any]:
    """Return the median, and the quartiles below and above it, in milliseconds."""
    alone = len(seconds) == 1
    quartiles = [*seconds] * 3 if alone else quantiles(seconds, method="inclusive")
    low, middle, high = (digits(1000 * each) for each in quartiles)
    return {"ms": middle, "low": low, "high": high}


def digits(value: float, count: int = 5) -> float:
    """Return a number with few digits: more would claim what nobody measured."""
    return float(f"{value:.{count}g}")


def ratio(slower: Sequence[float], faster: Sequence[float]) -> float:
    """Return the median of what one took over what the other took, step by step."""
    return median(a / b for a, b in zip(slower, faster, strict=True))


def race(
    runs: Mapping[str, Run], steps: int, warm_up: int, agreeing: Iterable[str]
) -> tuple[dict[str, list[float]], float]:
    """Let all take their steps in turn; return their seconds, and how far losses differ.

    The seconds are for one document. Steps that warm up do not count. The losses of those
    that are `agreeing` must be equal at each step.
    """
    compared = tuple(agreeing)
    times: dict[str, list[float]] = {name: [] for name in runs}
    gap = 0.0
    for step in range(warm_up + steps):
        if step == warm_up:
            # What lets Python look for cycles goes through all objects that there are.
            # Those of libraries and of other engines would slow it down: hide them.
            gc.collect()
            gc.freeze()
        taken = {name: timed_step(run) for name, run in runs.items()}
        if compared:
            gap = max(gap, agree([taken[name][0] for name in compared]))
        if step >= warm_up:
            for name, (_, seconds) in taken.items():
                times[name].append(seconds / runs[name].batch_size)
    gc.unfreeze()
    return times, gap


def timed_step(run: Run) -> tuple[float, float]:
    """Take a step of a run; return its loss, and the seconds that it takes.

    A short step is repeated with the same documents, and the mean counts. What the
    repetitions have learnt is forgotten.
    """
    rate = linear_decay(LEARNING_RATE, run.step, run.num_steps)
    documents = run.next_batch()

    def steps(count: int) -> tuple[float, float]:
        start = perf_counter()
        for _ in range(count):
            with pause_garbage_collection():
                loss = run.engine.step(documents, rate)
        return loss, perf_counter() - start

    loss, seconds = steps(1)
    if seconds < LEAST:
        state = run.engine.state()
        count = min(MOST_REPEATS, math.ceil(LEAST / seconds))
        seconds = steps(count)[1] / count
        run.engine.restore(state)
    return loss, seconds


def agree(losses: Sequence[float]) -> float:
    """Return by how much losses differ; raise ValueError if that is more than rounding."""
    gap = max(losses) - min(losses)
    if not gap <= TOLERANCE:
        raise ValueError(f"the engines do not agree: {losses}")
    return gap
