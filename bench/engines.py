"""How much faster each engine is than a textbook: `python -m bench.engines`.

All train on the same names from the same seed on one core, one step of each in turn, so
that a busy machine slows them alike; the losses must agree to 1e-9. A step of a fast
engine is repeated until a clock can tell how long it takes, and the mean counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from time import perf_counter
from typing import TypedDict

from bench.machine import gpu, machine
from bench.textbook import Textbook
from bench.timing import digits, race, summary, timed_step
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.cli.parser import positive
from microgpt.engines import ENGINES, MissingLibraryError, load_engine
from microgpt.engines.protocol import Engine, EngineType

TEXTBOOK = "textbook"


class Rung(TypedDict):
    """An engine on the ladder: its milliseconds at each step, and what follows from them.

    `times_faster` is the median of the textbook's time over this one's, step by step.
    """

    ms: float
    low: float
    high: float
    each: list[float]
    times_faster: float


class Ladder(TypedDict):
    """All engines, over the same steps; `gap` is the largest between their losses."""

    steps: int
    gap: float
    engines: dict[str, Rung]


def available(names: Sequence[str] = ENGINES) -> dict[str, EngineType]:
    """Return the engines that can be loaded here; say what the others need."""
    engines = {}
    for name in names:
        try:
            engines[name] = load_engine(name)
        except MissingLibraryError as error:
            print(error, file=sys.stderr)
    return engines


def on_gpu() -> dict[str, EngineType]:
    """Return PyTorch on a GPU, under the GPU's name; nothing if none is there."""
    if (name := gpu()) is None:
        print("there is no GPU here", file=sys.stderr)
        return {}
    engine: Callable[..., Engine] = load_engine("torch")
    return {f"torch, {name}": partial(engine, device="cuda")}


def ladder(
    names: Sequence[str], engines: dict[str, EngineType], steps: int, warm_up: int = 2
) -> Ladder:
    """Time the steps of a textbook and of all engines, in turn."""
    config = Config(vocab_size=Tokenizer(names).vocab_size)
    count = steps + warm_up
    textbook = Textbook(list(names), count).train()
    contenders: dict[str, Callable[[], tuple[float, float]]] = {
        TEXTBOOK: partial(timed_next, textbook)
    }
    for name, engine in engines.items():
        run = Run(names, config, count, engine=engine)
        contenders[name] = partial(timed_step, run)
    times, gap = race(contenders, steps, warm_up)
    return Ladder(
        steps=steps,
        gap=digits(gap, 2),
        engines={name: rung(taken, times[TEXTBOOK]) for name, taken in times.items()},
    )


def timed_next(losses: Iterator[float]) -> tuple[float, float]:
    """Let a run take a step; return its loss, and the seconds that it took."""
    start = perf_counter()
    loss = next(losses)
    return loss, perf_counter() - start


def rung(seconds: list[float], textbook: list[float]) -> Rung:
    ratios = [theirs / ours for theirs, ours in zip(textbook, seconds, strict=True)]
    return Rung(
        **summary(seconds),
        each=[digits(1000 * s) for s in seconds],
        times_faster=digits(median(ratios)),
    )


def show(found: Ladder) -> None:
    """Print a ladder."""
    print(f"{found['steps']} steps, losses equal to {max(found['gap'], 1e-16):.0e}")
    for name, one in found["engines"].items():
        print(
            f"{name:14} {one['ms']:9.3f} ms per step ({one['low']:.3g} to "
            f"{one['high']:.3g}) {one['times_faster']:9.2f} times"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file of names, one per line")
    parser.add_argument("--steps", type=positive, default=50)
    parser.add_argument("--engines", nargs="*", choices=ENGINES, default=ENGINES)
    parser.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu", help="cuda adds a GPU's row"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, and no table")
    arguments = parser.parse_args()

    names = load_names(arguments.docs)
    engines = available(arguments.engines)
    if arguments.device == "cuda":
        engines |= on_gpu()
    found = ladder(names, engines, arguments.steps)
    if arguments.json:
        print(json.dumps(found))
    else:
        print(machine())
        show(found)


if __name__ == "__main__":
    main()
