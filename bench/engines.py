"""How much faster each engine is than a textbook: `python -m bench.engines`.

All train on the same names from the same seed, one step of each in turn, so that a
busy machine slows them alike; the losses must agree to 1e-9.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import median
from time import perf_counter

from bench.machine import machine
from bench.textbook import Textbook
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.cli import positive
from microgpt.engines import ENGINES, MissingLibraryError, load_engine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file of names, one per line")
    parser.add_argument("--steps", type=positive, default=50)
    arguments = parser.parse_args()

    names = load_names(arguments.docs)
    config = Config(vocab_size=Tokenizer(names).vocab_size)
    runs: dict[str, Iterator[float]] = {
        "textbook": Textbook(names, arguments.steps).train()
    }
    for name in ENGINES:
        try:
            engine = load_engine(name)
        except MissingLibraryError as error:
            print(error)
            continue
        runs[name] = Run(names, config, arguments.steps, engine=engine).train()
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(arguments.steps):
        losses = []
        for name, steps in runs.items():
            start = perf_counter()
            losses.append(next(steps))
            times[name].append(perf_counter() - start)
        assert max(losses) - min(losses) <= 1e-9, losses

    print(f"{machine()}, {arguments.steps} steps, losses equal to 1e-9")
    textbook = times["textbook"]
    for name, taken in times.items():
        ratio = median(a / b for a, b in zip(textbook, taken, strict=True))
        print(f"{name:8} {1000 * median(taken):9.3f} ms per step {ratio:9.2f} times")


if __name__ == "__main__":
    main()
