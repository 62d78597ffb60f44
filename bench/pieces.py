"""How large the pieces of a batch should be for NumPy: `python -m bench.pieces`.

The gradient of the same batch, in pieces of each size, in turn; medians.
"""

import argparse
from functools import partial
from statistics import median

from bench.machine import machine
from bench.timing import in_turn
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.cli.parser import positive
from microgpt.engines.numpy import TOGETHER, Engine

BATCH = 512
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


def gradient(engine: Engine, documents: list[list[int]], size: int) -> None:
    """Find the gradients of all pieces."""
    for i in range(0, len(documents), size):
        engine.gradient(documents[i : i + size], 1 / len(documents))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=positive, default=7)
    times = parser.parse_args().times

    names = load_names()
    config = Config(vocab_size=Tokenizer(names).vocab_size)
    run = Run(names, config, 1, batch_size=BATCH)
    documents = sorted(run.batch(), key=len)
    letters = sum(min(len(tokens) - 1, config.block_size) for tokens in documents)
    engine = Engine(config, run.rng)
    works = {str(size): partial(gradient, engine, documents, size) for size in SIZES}
    taken = in_turn(works, times)

    print(f"{machine()}, {letters:,} tokens in {BATCH} documents")
    ours = median(taken[str(TOGETHER)])
    for size, seconds in taken.items():
        rate = letters / median(seconds)
        print(
            f"{size:>4} in a piece {rate:9,.0f} tokens/s {median(seconds) / ours:6.2f}"
        )


if __name__ == "__main__":
    main()
