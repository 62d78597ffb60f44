"""A dot product: its products, their sum, and what the sum says."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TypedDict

from snippets.step1 import linear
from widgets._names import token_names
from widgets._network import trained_weights
from widgets._numbers import significant

LONGEST = 16
LARGEST = 3.0  # the size of a number that a reader may choose
W = [1.0, -0.5, 2.0, 0.5]  # to begin with
X = [0.5, 1.0, 1.0, -1.0]


class NamedVector(TypedDict):
    """A token and its embedding after training; `like` are the tokens like it.

    These are all others, the one with the largest dot product first.
    """

    name: str
    vector: list[float]
    like: list[int]


class DotProduct(TypedDict):
    """Both vectors, the products, their sum so far after each, and the whole sum."""

    w: list[float]
    x: list[float]
    products: list[float]
    running: list[float]
    sum: float
    says: str
    embeddings: list[NamedVector]


def dot_product(w: list[float] | None, x: list[float] | None) -> DotProduct:
    """Multiply two vectors number by number, and add the products up."""
    w, x = w or W, x or X
    if len(w) != len(x):
        raise ValueError("the two vectors need as many numbers")
    if not 1 <= len(w) <= LONGEST:
        raise ValueError(f"a vector has from 1 to {LONGEST} numbers here")
    if not all(math.isfinite(number) and abs(number) <= LARGEST for number in w + x):
        raise ValueError(f"choose numbers from −{LARGEST:g} to {LARGEST:g}")
    products = [wi * xi for wi, xi in zip(w, x, strict=True)]
    total = linear(x, [w])[0]
    return DotProduct(
        w=w,
        x=x,
        products=[short(product) for product in products],
        running=[short(so_far) for so_far in accumulate(products)],
        sum=short(total),
        says=says(products, total),
        embeddings=embeddings(),
    )


def says(products: list[float], total: float) -> str:
    """Return what a dot product tells, in a sentence."""
    if not any(products):
        return "In no place are both numbers other than 0: the dot product is 0."
    if abs(total) < 1e-9:
        return "What agrees and what disagrees cancels: the dot product is 0."
    agree = sum(p > 0 for p in products)
    disagree = sum(p < 0 for p in products)
    places = f"The signs agree in {agree} of {len(products)} places, and differ in"
    verdict = "positive: more agreement" if total > 0 else "negative: less agreement"
    return f"{places} {disagree}. The sum is {verdict} than disagreement."


def embeddings() -> list[NamedVector]:
    """Return the trained embedding of each token, and which others are like it."""
    wte = trained_weights()["wte"]
    found = []
    for token, (name, vector) in enumerate(zip(token_names(), wte, strict=True)):
        agreement = linear(vector, wte)
        others = [other for other in range(len(wte)) if other != token]
        found.append(
            NamedVector(
                name=name,
                vector=[round(number, 3) for number in vector],
                like=sorted(others, key=lambda other: -agreement[other]),
            )
        )
    return found


def short(x: float) -> float:
    """Return a number with five significant digits, and without a rounding's dust."""
    return 0.0 if abs(x) < 1e-12 else significant(x, 5)
