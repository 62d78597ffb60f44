"""The two ceilings of one core, and the cost of a call.

The ceilings are the FLOPs per second when large matrices are multiplied, and the bytes
per second when an array too large for the caches is copied. A call is timed on so few
numbers that its arithmetic takes no time.
"""

from collections.abc import Callable
from statistics import median
from timeit import timeit
from typing import Any

from bench.engines import load_available_engines
from bench.timing import round_significant

SMALL_SIZE = 16  # so small that arithmetic takes no time
CALLS_PER_ROUND = 2000


def measure_roofline(
    rounds: int = 20, matrix_size: int = 1024, copied_numbers: int = 16 * 1024**2
) -> dict[str, Any]:
    """Return FLOPs and bytes per second, and microseconds per call.

    All functions take turns. The best of all rounds counts for the ceilings, the median
    for calls. NumPy is required; PyTorch's calls are left out if it is not installed.
    """
    import numpy as np

    matrix64 = np.ones((matrix_size, matrix_size))
    matrix32 = matrix64.astype(np.float32)
    source, target = np.ones(copied_numbers), np.zeros(copied_numbers)
    work: dict[str, Callable[[], object]] = {
        "float64": lambda: matrix64 @ matrix64,
        "float32": lambda: matrix32 @ matrix32,
        "copy": lambda: np.copyto(target, source),
    }
    flops = 2 * matrix_size**3
    amounts = {"float64": flops, "float32": flops, "copy": 16 * copied_numbers}
    # One operation of each library on a few numbers
    x, a, m = 1.5, np.ones(SMALL_SIZE), np.ones((SMALL_SIZE, SMALL_SIZE))
    calls: dict[str, Callable[[], object]] = {
        "nothing": lambda: None,
        "python": lambda: x * x,
        "numpy add": lambda: a + a,
        "numpy matmul": lambda: m @ m,
    }
    if "torch" in load_available_engines(["torch"]):
        import torch

        b, w = torch.ones(SMALL_SIZE), torch.ones(SMALL_SIZE, SMALL_SIZE)
        calls |= {"torch add": lambda: b + b, "torch matmul": lambda: w @ w}
    seconds: dict[str, list[float]] = {name: [] for name in (*work, *calls)}
    for _ in range(rounds):
        for name, function in work.items():
            seconds[name].append(timeit(function, number=1))
        for name, function in calls.items():
            total = timeit(function, number=CALLS_PER_ROUND)
            seconds[name].append(total / CALLS_PER_ROUND)
    rates = {
        name: round_significant(amounts[name] / min(seconds[name])) for name in work
    }
    microseconds = {
        name: round_significant(1e6 * median(seconds[name]), 3) for name in calls
    }
    return {**rates, "calls": microseconds}
