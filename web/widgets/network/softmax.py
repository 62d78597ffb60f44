"""Softmax with and without its subtraction, for logits of any size."""

from __future__ import annotations

import math
from typing import TypedDict

from snippets import step1
from widgets._inputs import whole
from widgets._numbers import significant

MOST = 8  # logits
LARGEST = 10.0  # the size of a logit before something is added
FARTHEST = 1000  # the most that may be added
LETTERS = "abcdefgh"
FIRST = [2.0, 1.0, 0.0, -1.0]


class Exponential(TypedDict):
    """A logit, what is raised to the power of it, and the probability.

    `exp` and `p` are None where Python has no number for them.
    """

    name: str
    logit: float
    exponent: float
    exp: float | None
    p: float | None


class Logits(TypedDict):
    """Logits before the same is added to all, and each on its way to a probability.

    `total` is None if no float is as large. `says` tells what happens; `fails` is the
    name of Python's error, "infinite" for a sum that is, or empty.
    """

    logits: list[float]
    added: int
    subtract: bool
    rows: list[Exponential]
    total: float | None
    says: str
    fails: str


def softmax(logits: list[float] | None, added: int, subtract: bool) -> Logits:
    """Add the same to all logits; then compute softmax as Step 1 does, or without care."""
    logits = logits or FIRST
    if not 2 <= len(logits) <= MOST:
        raise ValueError(f"choose from 2 to {MOST} logits")
    if not all(math.isfinite(x) and abs(x) <= LARGEST for x in logits):
        raise ValueError(f"choose logits from −{LARGEST:g} to {LARGEST:g}")
    added = whole(added, "added", -FARTHEST, FARTHEST)
    moved = [logit + added for logit in logits]
    largest = max(moved)
    exponents = [logit - largest if subtract else logit for logit in moved]
    exps = [exponential(exponent) for exponent in exponents]
    numbers = [exp for exp in exps if exp is not None]
    total = sum(numbers) if len(numbers) == len(exps) else None
    true = step1.softmax(moved)
    found = probabilities(exps, total, true if subtract else None)
    fails = failure(total)
    return Logits(
        logits=logits,
        added=added,
        subtract=subtract,
        rows=[
            Exponential(
                name=LETTERS[i],
                logit=significant(moved[i], 5),
                exponent=significant(exponents[i], 5),
                exp=None if exps[i] is None else significant(exps[i] or 0.0, 5),
                p=None if found is None else significant(found[i], 5),
            )
            for i in range(len(moved))
        ],
        total=None if total is None or math.isinf(total) else significant(total, 5),
        says=verdict(fails, exponents, found, true, subtract=subtract),
        fails=fails,
    )


def exponential(exponent: float) -> float | None:
    """Return e to that power; None if no float is as large."""
    try:
        return math.exp(exponent)
    except OverflowError:
        return None


def failure(total: float | None) -> str:
    """Return what is wrong with a sum of exponentials; None is one without an end."""
    if total is None:
        return "OverflowError"
    if math.isinf(total):
        return "infinite"
    return "" if total else "ZeroDivisionError"


def probabilities(
    exps: list[float | None], total: float | None, true: list[float] | None
) -> list[float] | None:
    """Divide by the total where that can be done; `true` are softmax's own."""
    if true is not None:
        return true
    if not total:
        return None
    return [exp / total for exp in exps if exp is not None]


def verdict(
    fails: str,
    exponents: list[float],
    found: list[float] | None,
    true: list[float],
    *,
    subtract: bool,
) -> str:
    """Return what has happened, in a sentence."""
    if fails == "OverflowError":
        first = next(x for x in exponents if exponential(x) is None)
        return f"math.exp({first:g}) raises an OverflowError: no float is as large."
    if fails == "infinite":
        return (
            "Each exponential is still a float, but their sum is not: it becomes "
            "infinite, and every probability 0."
        )
    if fails:
        return (
            "Every exponential is so small that it is rounded to 0. Their sum is 0, "
            "and dividing by it raises a ZeroDivisionError."
        )
    if subtract:
        return (
            "The largest exponent is 0, so its exponential is 1: nothing is too large, "
            "and the sum is never 0."
        )
    off = max(abs(p - q) for p, q in zip(found or true, true, strict=True))
    if off > 5e-5:
        return (
            "The exponentials are at the lower end of what a float can hold, and have "
            f"lost digits: a probability is wrong by {off:.2g}."
        )
    return "These are the same probabilities as with the subtraction."
