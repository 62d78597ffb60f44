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
# Below which 97.5 % of Student's distribution lies, for so many values
STUDENT = {
    2: 12.7062047,
    3: 4.3026527,
    4: 3.1824463,
    5: 2.7764451,
    6: 2.5705818,
    7: 2.4469119,
    8: 2.3646243,
    9: 2.3060041,
    10: 2.2621572,
}


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
    """Return the mean of two to ten independent values with its 95 % confidence interval."""
    error = STUDENT[len(values)] * stdev(values) / math.sqrt(len(values))
    return Interval(mean(values), error)
