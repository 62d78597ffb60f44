"""What a tile is worth: the C engine with plainer loops for its product of matrices.

NumPy and the C engines train on the same names, in turn, so that a busy machine slows
them alike.
"""

from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any

from bench.timing import digits, race, timed_step
from microgpt import Config, Run, Tokenizer
from microgpt.engines import variant
from microgpt.engines.numpy import Engine as NumPy

WIDTHS = (16, 128)
LOOPS = {"tile": "tiles", "one number at a time": "single", "row by row": "rows"}


def kernels(names: Sequence[str], steps: int) -> dict[str, dict[str, float]]:
    """Return how many times as fast as NumPy each is, by width: the median of the steps."""
    engines: dict[str, Any] = {"numpy": NumPy}
    for name, loops in LOOPS.items():
        engines[name] = partial(variant.Engine, parts={"product": loops})
    found = {}
    for width in WIDTHS:
        config = Config(Tokenizer(names).vocab_size, n_embd=width)
        runs = {n: Run(names, config, steps + 2, engine=e) for n, e in engines.items()}
        steppers = {name: partial(timed_step, run) for name, run in runs.items()}
        times, _ = race(steppers, steps, 2, runs)
        found[str(width)] = {
            name: digits(
                median(a / b for a, b in zip(times["numpy"], taken, strict=True)), 3
            )
            for name, taken in times.items()
        }
    return found
