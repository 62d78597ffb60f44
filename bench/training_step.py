"""How much faster a training step is than a textbook's: `python -m bench.training_step`.

Both train on the same names from the same seed, one step of each in turn, so that a
busy machine slows both alike; the losses must agree to 1e-12.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import perf_counter

from bench.machine import machine
from bench.textbook import Textbook
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.cli.parser import positive


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file of names, one per line")
    parser.add_argument("--steps", type=positive, default=50)
    arguments = parser.parse_args()

    names = load_names(arguments.docs)
    run = Run(names, Config(vocab_size=Tokenizer(names).vocab_size), arguments.steps)
    steps, textbook_steps = run.train(), Textbook(names, arguments.steps).train()
    times, textbook_times = [], []
    for _ in range(arguments.steps):
        start = perf_counter()
        loss = next(steps)
        middle = perf_counter()
        textbook_loss = next(textbook_steps)
        end = perf_counter()
        assert abs(loss - textbook_loss) <= 1e-12, (loss, textbook_loss)
        times.append(middle - start)
        textbook_times.append(end - middle)
    ratio = median(b / a for a, b in zip(times, textbook_times, strict=True))

    print(f"{machine()}, {arguments.steps} steps, losses equal to 1e-12")
    print(f"{'textbook':10} {1000 * median(textbook_times):8.1f} ms per step")
    print(f"{'microgpt':10} {1000 * median(times):8.1f} ms per step")
    print(f"{'ratio':10} {ratio:8.2f}    median over the pairs of steps")


if __name__ == "__main__":
    main()
