"""What comes after each token: probabilities from counts, with some smoothing."""

from __future__ import annotations

import math
import random
from typing import TypedDict

from microgpt import Tokenizer, load_names
from snippets.step0 import count_pairs, probabilities, zero_counts
from widgets._inputs import whole

SEED = 42
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
    all_names = load_names()
    random.Random(SEED).shuffle(all_names)
    names = whole(names, "names", 0, len(all_names))
    tokenizer = Tokenizer(all_names)
    counts = zero_counts(tokenizer.vocab_size)
    for name in all_names[:names]:
        count_pairs(tokenizer.document(name), counts)
    return NextLetter(
        tokens=[*tokenizer.characters, "BOS"],
        total=len(all_names),
        counts=counts,
        sums=[sum(row) for row in counts],
        unseen=[row.count(0) for row in counts],
        rows=[
            [short(p) for p in probabilities(token, counts, smoothing)]
            if smoothing or any(counts[token])
            else []
            for token in range(tokenizer.vocab_size)
        ],
    )


def short(p: float) -> float:
    """Return a probability with five significant digits."""
    return float(f"{p:.5g}")
