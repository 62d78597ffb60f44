"""How much faster each engine is than the one taught: `python -m bench.engines`.

All train on the same names from the same seed, one step of each in turn, so that a
busy machine slows them alike; the losses must agree to 1e-12.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import perf_counter

from bench.machine import machine
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.cli import positive
from microgpt.engines import ENGINES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file of names, one per line")
    parser.add_argument("--steps", type=positive, default=50)
    arguments = parser.parse_args()

    names = load_names(arguments.docs)
    config = Config(vocab_size=Tokenizer(names).vocab_size)
    runs = {
        name: Run(names, config, arguments.steps, gradient=engine).train()
        for name, engine in ENGINES.items()
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(arguments.steps):
        losses = []
        for name, steps in runs.items():
            start = perf_counter()
            losses.append(next(steps))
            times[name].append(perf_counter() - start)
        assert max(losses) - min(losses) <= 1e-12, losses

    print(f"{machine()}, {arguments.steps} steps, losses equal to 1e-12")
    taught = times["value"]
    for name, taken in times.items():
        ratio = median(a / b for a, b in zip(taught, taken, strict=True))
        print(f"{name:8} {1000 * median(taken):7.2f} ms per step {ratio:7.2f} times")


if __name__ == "__main__":
    main()
