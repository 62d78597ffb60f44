"""A search through the names: how many have a piece in them, and how long they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal, TypedDict

from microgpt import load_names

EXAMPLES = 12


class LengthCount(TypedDict):
    """How many names have so many letters: of those found, and of all."""

    letters: int
    found: int
    all: int


class Dataset(TypedDict):
    """What was found; `examples` are spread evenly over it."""

    total: int
    found: int
    examples: list[str]
    lengths: list[LengthCount]
    mean_found: float
    mean_all: float


def dataset(piece: str, where: Literal["anywhere", "start", "end"]) -> Dataset:
    """Return what the names that have this piece, in this place, have in common."""
    names = load_names()
    piece = piece.strip().lower()
    refuse_unknown(piece, names)
    has: dict[str, Callable[[str], bool]] = {
        "anywhere": lambda name: piece in name,
        "start": lambda name: name.startswith(piece),
        "end": lambda name: name.endswith(piece),
    }
    if where not in has:
        raise ValueError("the piece stands anywhere, at the start or at the end")
    found = [name for name in names if has[where](name)]
    of_found, of_all = Counter(map(len, found)), Counter(map(len, names))
    return Dataset(
        total=len(names),
        found=len(found),
        examples=spread(found, EXAMPLES),
        lengths=[
            LengthCount(letters=n, found=of_found[n], all=of_all[n])
            for n in range(min(of_all), max(of_all) + 1)
        ],
        mean_found=mean_length(found),
        mean_all=mean_length(names),
    )


def refuse_unknown(piece: str, names: list[str]) -> None:
    """Raise ValueError for a piece that no name can have."""
    known = set().union(*names)
    for character in piece:
        if character not in known:
            raise ValueError(
                f"no name has the character {character!r}: type letters from "
                f"{min(known)} to {max(known)}"
            )
    longest = max(map(len, names))
    if len(piece) > longest:
        raise ValueError(f"the longest name has {longest} letters: type fewer")


def spread(names: list[str], count: int) -> list[str]:
    """Return some of the names, at even distances."""
    count = min(count, len(names))
    return [names[i * len(names) // count] for i in range(count)]


def mean_length(names: list[str]) -> float:
    """Return the mean number of letters, to two decimals; 0 without names."""
    return round(sum(map(len, names)) / len(names), 2) if names else 0.0
