"""What a tile is worth: gpt.c with plainer loops for its product of matrices.

NumPy and the C engines train on the same names, in turn, so that a busy machine slows
them alike.
"""

from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any

from bench.networks import library
from bench.timing import digits, race, timed_step
from microgpt import Config, Run, Tokenizer
from microgpt.engines.c import Engine
from microgpt.engines.compiler import SOURCE
from microgpt.engines.numpy import Engine as NumPy

WIDTHS = (16, 128)
HEAD, END = "int rows, int inner, int columns, Grid a, Grid b, Grid c) {\n", "\n}\n"
TO = "c.at[y * c.down + x * c.right]"
TERM = "a.at[y * a.down + i * a.right] * b.at[i * b.down + x]"
LOOPS = {
    "one number at a time": (
        "for (int y = 0; y < rows; y++) for (int x = 0; x < columns; x++) {"
        f" real total = 0; for (int i = 0; i < inner; i++) total += {TERM};"
        f" {TO} += total; }}"
    ),
    "row by row": (
        "for (int y = 0; y < rows; y++) for (int i = 0; i < inner; i++)"
        f" for (int x = 0; x < columns; x++) {TO} += {TERM};"
    ),
}


def looped(loops: str) -> str:
    """Return the text of gpt.c with other loops in `multiply`."""
    before, head, after = SOURCE.read_text(encoding="utf-8").partition(HEAD)
    return before + head + loops + after[after.index(END) :]


def kernels(names: Sequence[str], steps: int) -> dict[str, dict[str, float]]:
    """Return how many times as fast as NumPy each is, by width: the median of the steps."""
    engines: dict[str, Any] = {"numpy": NumPy, "tile": Engine}
    for name, loops in LOOPS.items():
        engines[name] = partial(Engine, library=library(looped(loops), "float64"))
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
