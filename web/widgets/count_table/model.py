"""The count table after some of the names: every cell, and names that fill it."""

from typing import TypedDict

from widgets._inputs import whole
from widgets._names import token_names


class CountTable(TypedDict):
    """What readers call the tokens, in their order; the browser counts the names."""

    tokens: list[str]


def count_table(seed: int) -> CountTable:
    """Return the tokens; the seed is that of the first shuffle."""
    whole(seed, "seed", 0, 2**31)
    return CountTable(tokens=token_names())
