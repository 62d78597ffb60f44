"""Checks an attention that also sees the letters that come next."""

from __future__ import annotations

import math
import random

from microgpt import attend
from microgpt.nn import Matrix, Vector, gaussian_matrix
from snippets.exercises import Hint, Program, function

COUNT = 4


def check(program: Program) -> None:
    """Compare what each of a few letters gathers with what it should."""
    gather = function(program, "gather")
    rng = random.Random(7)
    queries, keys, values = (
        gaussian_matrix(COUNT, width, 1.0, rng) for width in (2, 2, 3)
    )

    def taken(i: int, where: slice) -> Vector:
        return attend(queries[i], keys[where], values[where])

    found = gather(queries, keys, values)
    everything = [taken(i, slice(None)) for i in range(COUNT)]
    if alike(found, everything):
        return
    if alike(found, [taken(i, slice(i + 1)) for i in range(COUNT)]):
        raise Hint(
            "Each letter still takes only from itself and from those before it. Its query "
            "may meet all keys."
        )
    for i, vector in enumerate(found[:COUNT]):
        if same(vector, everything[i]):
            continue
        letter = f"Letter {i + 1} of {COUNT}"
        if same(vector, taken(i, slice(i + 2))):
            raise Hint(
                f"{letter} takes from the one after it, but not from all. Let it take from "
                "the whole name."
            )
        if same(vector, taken(i, slice(i, None))):
            raise Hint(
                f"{letter} takes from what follows, but no longer from what came before. "
                "It may have both."
            )
        if i and same(vector, taken(i, slice(i))):
            raise Hint(
                f"{letter} takes from what came before it, but not from itself. Leave "
                "nobody out."
            )
        if any(
            same(vector, taken(j, slice(None))) for j in range(COUNT)
        ):
            raise Hint(
                f"{letter} takes from all letters, but asks with the query of another. "
                "Each letter has its own."
            )
    raise Hint(
        "This is not what attend gives for each query with all keys and all values."
    )


def alike(a: Matrix, b: Matrix) -> bool:
    """Tell whether two lists hold the same vectors but for rounding."""
    return len(a) == len(b) and all(map(same, a, b))


def same(a: Vector, b: Vector) -> bool:
    """Tell whether two vectors are one but for rounding."""
    return len(a) == len(b) and all(
        math.isclose(x.data, y.data, abs_tol=1e-9) for x, y in zip(a, b)
    )
