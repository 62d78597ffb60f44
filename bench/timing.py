"""Time training steps: several runs in turn, with short steps repeated."""

import gc
import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from microgpt import Run
from microgpt.engines.run import DEFAULT_LEARNING_RATE, pause_garbage_collection
from microgpt.optim import linear_decay

MIN_TIMED_SECONDS = 0.05  # shorter steps are repeated that long, at most 200 times
LOSS_TOLERANCE = 1e-9  # between the losses of all engines at one step


def summarize(seconds: Sequence[float]) -> dict[str, Any]:
    """Return the median and the lower and upper quartile, in milliseconds."""
    single = len(seconds) == 1
    quartiles = [*seconds] * 3 if single else quantiles(seconds, method="inclusive")
    low, middle, high = (round_significant(1000 * each) for each in quartiles)
    return {"ms": middle, "low": low, "high": high}


def round_significant(value: float, digits: int = 5) -> float:
    """Round to a few significant digits: more would claim what nobody measured."""
    return float(f"{value:.{digits}g}")


def median_ratio(slower: Sequence[float], faster: Sequence[float]) -> float:
    """Return the median of slower / faster over pairs of times, one pair per step."""
    return median(a / b for a, b in zip(slower, faster, strict=True))


def time_in_turns(
    runs: Mapping[str, Run], steps: int, warm_up: int, must_agree: Iterable[str]
) -> tuple[dict[str, list[float]], float]:
    """Time the steps of several runs, which take turns.

    Args:
        runs: The runs to time, by name.
        steps: The number of timed steps of each run.
        warm_up: The number of untimed steps before those.
        must_agree: The names of runs that must have equal losses at each step.

    Returns:
        The seconds per document of each step of each run, and the largest difference
        between losses that must agree.

    Raises:
        ValueError: Losses differ by more than LOSS_TOLERANCE.
    """
    compared_names = tuple(must_agree)
    times: dict[str, list[float]] = {name: [] for name in runs}
    max_gap = 0.0
    for step in range(warm_up + steps):
        if step == warm_up:
            # The garbage collector searches all objects: hide those of libraries and
            # of other engines, which would slow it down.
            gc.collect()
            gc.freeze()
        results = {name: time_step(run) for name, run in runs.items()}
        if compared_names:
            losses = [results[name][0] for name in compared_names]
            gap = max(losses) - min(losses)
            if not gap <= LOSS_TOLERANCE:  # so that NaN is refused, too
                raise ValueError(f"expected equal losses of all engines, got {losses}")
            max_gap = max(max_gap, gap)
        if step >= warm_up:
            for name, (_, seconds) in results.items():
                times[name].append(seconds / runs[name].batch_size)
    gc.unfreeze()
    return times, max_gap


def time_step(run: Run) -> tuple[float, float]:
    """Take a step of a run; return its loss and its seconds.

    A short step is repeated with the same documents, and the mean time counts. The run
    then continues from its state after the first repetition.
    """
    rate = linear_decay(DEFAULT_LEARNING_RATE, run.steps_taken, run.num_steps)
    documents = run.next_batch()

    def repeat_step(count: int) -> tuple[float, float]:
        start = perf_counter()
        for _ in range(count):
            with pause_garbage_collection():
                loss = run.engine.step(documents, rate)
        return loss, perf_counter() - start

    loss, seconds = repeat_step(1)
    if seconds < MIN_TIMED_SECONDS:
        state = run.engine.state()
        count = min(200, math.ceil(MIN_TIMED_SECONDS / seconds))
        seconds = repeat_step(count)[1] / count
        run.engine.restore(state)
    return loss, seconds
