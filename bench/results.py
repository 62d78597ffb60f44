"""The recorded losses of trained models, and confidence intervals of their differences.

The losses of two models are compared in pairs: for each seed, both learn the same names
in the same order, and are tested on the same held-out names.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

FINAL_LOSSES_FILE = Path(__file__).parents[1] / "docs" / "data" / "ends.json"
# The 97.5 % quantiles of Student's distribution
QUANTILE_BY_VALUE_COUNT: dict[int, float] = {
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
    """A mean and the half-width of its 95 % confidence interval."""

    mean: float
    margin: float

    @property
    def excludes_zero(self) -> bool:
        """Whether zero lies outside the interval."""
        return abs(self.mean) > self.margin

    def round(self, digits: int) -> "Interval":
        """Return the interval with both numbers rounded to `digits` decimals."""
        return Interval(round(self.mean, digits), round(self.margin, digits))


def load_final_losses() -> dict[str, Any]:
    """Load the record of `bench.final_losses`."""
    return dict(json.loads(FINAL_LOSSES_FILE.read_text(encoding="utf-8")))


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Interval:
    """Return the mean difference, first minus second, of losses paired by seed."""
    return confidence_interval([a - b for a, b in zip(first, second, strict=True)])


def confidence_interval(values: Sequence[float]) -> Interval:
    """Return the 95 % confidence interval of the mean of 2 to 10 values."""
    count = len(values)
    margin = QUANTILE_BY_VALUE_COUNT[count] * stdev(values) / math.sqrt(count)
    return Interval(mean(values), margin)
