"""What models give that were trained to the end, as `bench.rungs` has recorded it.

A difference between two models is measured in pairs: both learn from the same names, in
the same order, and are judged by the same held-out names. The next seed has others.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

RECORD = Path(__file__).parents[1] / "docs" / "data" / "ends.json"


class Interval(NamedTuple):
    """A mean, and how far the true one may be from it, with 95 % confidence."""

    mean: float
    error: float

    @property
    def is_real(self) -> bool:
        """Whether the interval leaves out zero."""
        return abs(self.mean) > self.error


def ends() -> dict[str, Any]:
    """Return the record."""
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def difference(first: Sequence[float], second: Sequence[float]) -> Interval:
    """Return by how much the first losses exceed the second, seed by seed."""
    return interval([a - b for a, b in zip(first, second, strict=True)])


def interval(values: Sequence[float]) -> Interval:
    """Return the mean of independent values with its 95 % confidence interval."""
    error = t_quantile(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return Interval(mean(values), error)


def t_quantile(freedom: int) -> float:
    """Return the t below which 97.5 % of Student's distribution lies, by bisection."""
    low, high = 0.0, 13.0  # 12.7 for one degree of freedom, the largest
    while high - low > 1e-9:
        middle = (low + high) / 2
        if half_area(middle, freedom) < 0.475:
            low = middle
        else:
            high = middle
    return low


def half_area(t: float, freedom: int, pieces: int = 200) -> float:
    """Return the probability that Student's variable is between 0 and t.

    With t = √freedom · tan θ the density is a power of cos θ, which Simpson's rule
    integrates.
    """
    angle = math.atan(t / math.sqrt(freedom))
    heights = [math.cos(angle * i / pieces) ** (freedom - 1) for i in range(pieces + 1)]
    area = heights[0] + heights[-1] + 4 * sum(heights[1::2]) + 2 * sum(heights[2:-1:2])
    scale = math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(math.pi)
    return scale * area * angle / pieces / 3
