"""Checks an attention that also sees the letters that come next."""

import random

from microgpt import attend
from microgpt.nn import Vector, gaussian_matrix
from snippets.exercises import Hint, Program, close, function

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
    if close(found, everything):
        return
    if close(found, [taken(i, slice(i + 1)) for i in range(COUNT)]):
        raise Hint(
            "Each letter still takes only from itself and from those before it. Its query "
            "may meet all keys."
        )
    for i, vector in enumerate(found[:COUNT]):
        if close(vector, everything[i]):
            continue
        letter = f"Letter {i + 1} of {COUNT}"
        mistakes = {
            f"{letter} takes from the one after it, but not from all. Let it take from "
            "the whole name.": slice(i + 2),
            f"{letter} takes from what follows, but no longer from what came before. "
            "It may have both.": slice(i, None),
            f"{letter} takes from what came before it, but not from itself. Leave "
            "nobody out.": slice(
                i or None
            ),  # nothing comes before the first
        }
        for hint, where in mistakes.items():
            if close(vector, taken(i, where)):
                raise Hint(hint)
        if any(
            close(vector, taken(j, slice(None))) for j in range(COUNT)
        ):
            raise Hint(
                f"{letter} takes from all letters, but asks with the query of another. "
                "Each letter has its own."
            )
    raise Hint(
        "This is not what attend gives for each query with all keys and all values."
    )
