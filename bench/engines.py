"""How much faster each engine is than a textbook.

All train on the same names from the same seed on one core, one step of each in turn, so
that a busy machine slows them alike; the losses must agree to 1e-9. A step of a fast
engine is repeated until a clock can tell how long it takes, and the mean counts.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

from bench.machine import elsewhere
from bench.textbook import Textbook
from bench.timing import digits, race, summary, timed_step
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.engines import ENGINES, load_engine
from microgpt.engines.protocol import Engine, EngineType

TEXTBOOK = "textbook"
BATCH = 32
FAST = ("numpy", "torch", "c")
PURE = ("value", "dot", "lists")
ROUNDS, SHORT = 8, 6  # of other interpreters, and the steps of a round


def available(names: Sequence[str] = ENGINES) -> dict[str, EngineType]:
    """Return the engines that can be loaded here; say what the others need."""
    engines = {}
    for name in names:
        try:
            engines[name] = load_engine(name)
        except (ValueError, OSError) as error:
            print(error, file=sys.stderr)
    return engines


def ladder(
    names: Sequence[str], engines: dict[str, EngineType], steps: int
) -> dict[str, Any]:
    """Time the steps of a textbook and of all engines, in turn; batches beside them.

    The fast ones take BATCH names in a step; their times are for one name, and their
    losses, which are other names', are not compared.
    """
    warm_up = 2
    count = steps + warm_up
    textbook = Textbook(list(names), count).train()
    singly = {TEXTBOOK: partial(timed_next, textbook)} | {
        name: partial(timed_name, run_of(names, engine, count))
        for name, engine in engines.items()
    }
    in_batches = {
        name: partial(timed_name, run_of(names, engine, count, BATCH))
        for name, engine in fast(engines).items()
    }
    times, gap = race(
        singly | {f"{name} in batches": one for name, one in in_batches.items()},
        steps,
        warm_up,
        agreeing=singly,
    )
    rungs = {name: rung(taken, times[TEXTBOOK]) for name, taken in times.items()}
    return {
        "steps": steps,
        "gap": digits(gap, 2),
        "engines": {name: rungs[name] for name in singly},
        "batches": {name: rungs[f"{name} in batches"] for name in in_batches},
    }


def pure(steps: int) -> Any:
    """Return the times in this interpreter."""
    return ladder(load_names(), available(PURE), steps)["engines"]


def pythons(interpreters: Sequence[str], most: int) -> dict[str, Any]:
    """Return the times of the textbook and of each engine, by version of Python.

    Interpreters run those that are pure Python, in turn, a few steps each time.
    """
    versions = {
        path: elsewhere("platform", "here.python_version()", path)
        for path in interpreters
    }
    each: dict[str, dict[str, list[float]]] = {v: {} for v in versions.values()}
    for _ in range(ROUNDS):
        for path, version in versions.items():
            found = elsewhere("bench.engines", f"here.pure({min(SHORT, most)})", path)
            for name, rung in found.items():
                each[version].setdefault(name, []).extend(rung["each"])
    return {
        version: {
            name: summary([ms / 1000 for ms in times])
            for name, times in engines.items()
        }
        for version, engines in each.items()
    }


def fast(engines: dict[str, EngineType]) -> dict[str, EngineType]:
    """Return the engines that a batch helps, and C with half the digits."""
    found = {name: engines[name] for name in FAST if name in engines}
    if "c" in found:
        single: Callable[..., Engine] = load_engine("c")
        found["c, float32"] = partial(single, precision="float32")
    return found


def run_of(names: Sequence[str], engine: EngineType, steps: int, batch: int = 1) -> Run:
    config = Config(vocab_size=Tokenizer(names).vocab_size)
    return Run(names, config, steps, batch_size=batch, engine=engine)


def timed_name(run: Run) -> tuple[float, float]:
    """Take a step; return its loss, and the seconds for each of its names."""
    loss, seconds = timed_step(run)
    return loss, seconds / run.batch_size


def timed_next(losses: Iterator[float]) -> tuple[float, float]:
    """Let a run take a step; return its loss, and the seconds that it took."""
    start = perf_counter()
    loss = next(losses)
    return loss, perf_counter() - start


def rung(seconds: list[float], textbook: list[float]) -> dict[str, Any]:
    """Return the milliseconds of each step, and what follows from them.

    `times_faster` is the median of the textbook's time over this one's, step by step.
    """
    ratios = [theirs / ours for theirs, ours in zip(textbook, seconds, strict=True)]
    return summary(seconds) | {
        "each": [digits(1000 * s) for s in seconds],
        "times_faster": digits(median(ratios)),
    }
