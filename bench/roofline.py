"""The two ceilings of one core, and the price of a call.

How many FLOPs it computes in a second at most, multiplying large matrices; how many
bytes it moves, copying an array that no cache holds; and what one call takes whose
arithmetic takes nothing.
"""

from collections.abc import Callable
from statistics import median
from timeit import timeit
from typing import Any

from bench.engines import available
from bench.timing import digits

SIZE = 1024  # rows and columns of the matrices
NUMBERS = 16 * 1024**2  # in the array that is copied: 128 MB
SMALL = 16
CALLS = 2000
ROUNDS = 20


def roofline(
    rounds: int = ROUNDS, size: int = SIZE, numbers: int = NUMBERS
) -> dict[str, Any]:
    """Return FLOPs and bytes per second, and microseconds per call; all take turns.

    The best of all rounds counts for the ceilings, the median for calls. Needs NumPy, and
    PyTorch for its own calls.
    """
    import numpy as np

    wide = np.ones((size, size))
    narrow = wide.astype(np.float32)
    source, target = np.ones(numbers), np.zeros(numbers)
    work: dict[str, Callable[[], object]] = {
        "float64": lambda: wide @ wide,
        "float32": lambda: narrow @ narrow,
        "copy": lambda: np.copyto(target, source),
    }
    done = {"float64": 2 * size**3, "float32": 2 * size**3, "copy": 16 * numbers}
    # What takes its time for being called: one operation of each library
    x, a, m = 1.5, np.ones(SMALL), np.ones((SMALL, SMALL))
    calls: dict[str, Callable[[], object]] = {
        "nothing": lambda: None,
        "python": lambda: x * x,
        "numpy add": lambda: a + a,
        "numpy matmul": lambda: m @ m,
    }
    if "torch" in available(["torch"]):
        import torch

        b, w = torch.ones(SMALL), torch.ones(SMALL, SMALL)
        calls |= {"torch add": lambda: b + b, "torch matmul": lambda: w @ w}
    seconds: dict[str, list[float]] = {name: [] for name in (*work, *calls)}
    for _ in range(rounds):
        for name, one in work.items():
            seconds[name].append(timeit(one, number=1))
        for name, one in calls.items():
            seconds[name].append(timeit(one, number=CALLS) / CALLS)
    best = {name: digits(done[name] / min(seconds[name])) for name in work}
    each = {name: digits(1e6 * median(seconds[name]), 3) for name in calls}
    return {**best, "calls": each}
