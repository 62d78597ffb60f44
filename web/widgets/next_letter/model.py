"""What comes after each token: probabilities from counts, with some smoothing."""

from __future__ import annotations

import math
from typing import TypedDict

from snippets.step0 import probabilities
from widgets._counting import counts_after
from widgets._inputs import whole
from widgets._names import shuffled_names, token_names
from widgets._numbers import significant

MOST = 10_000  # the largest smoothing


class NextLetter(TypedDict):
    """For each token its counts, and the probabilities of what comes next.

    `total` names are there to learn from; `unseen` says how many of a row's counts
    are 0. A row without counts and smoothing has no probabilities: it is empty.
    """

    tokens: list[str]
    total: int
    counts: list[list[int]]
    sums: list[int]
    unseen: list[int]
    rows: list[list[float]]


def next_letter(smoothing: float, names: int) -> NextLetter:
    """Count the pairs of the first names, and divide each row by its sum."""
    if not math.isfinite(smoothing) or not 0 <= smoothing <= MOST:
        raise ValueError(f"smoothing: choose from 0 to {MOST:,}")
    total = len(shuffled_names())
    counts = counts_after(whole(names, "names", 0, total))
    return NextLetter(
        tokens=token_names(),
        total=total,
        counts=counts,
        sums=[sum(row) for row in counts],
        unseen=[row.count(0) for row in counts],
        rows=[
            [significant(p, 5) for p in probabilities(token, counts, smoothing)]
            if smoothing or any(counts[token])
            else []
            for token in range(len(counts))
        ],
    )
