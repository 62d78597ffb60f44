"""Byte-pair merges, learnt from the guide's names, applied to a name one by one."""

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TypedDict

from microgpt import load_names
from widgets._names import document

MERGES = 60  # as on the page


class Merge(TypedDict):
    """Two pieces that become one, and how often they stood side by side in the names."""

    left: str
    right: str
    times: int


def bpe(name: str) -> list[Merge]:
    """Return the merges by which the browser puts a name together."""
    document(name)  # refuses what is no name
    return learnt()


@cache
def learnt() -> list[Merge]:
    """Return the merges in the order in which they are learnt."""
    names = [list(name) for name in load_names()]
    found = []
    for _ in range(MERGES):
        pairs = Counter(pair for name in names for pair in pairwise(name))
        [((left, right), times)] = pairs.most_common(1)
        # Most names have not both pieces: to look is faster than to go through them.
        names = [
            merge(name, left, right) if left in name and right in name else name
            for name in names
        ]
        found.append(Merge(left=left, right=right, times=times))
    return found


def merge(pieces: list[str], left: str, right: str) -> list[str]:
    """Make one piece of each two neighbours that are this pair."""
    merged: list[str] = []
    for piece in pieces:
        if merged and (merged[-1], piece) == (left, right):
            merged[-1] += piece
        else:
            merged.append(piece)
    return merged
