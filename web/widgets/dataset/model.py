"""A search through the names: how many have a piece in them, and how long they are."""

from collections import Counter
from collections.abc import Callable
from typing import Literal, TypedDict

from microgpt import load_names

EXAMPLES = 12


class LengthCount(TypedDict):
    """How many names have so many letters, and which share of them all that is.

    Of those found, and of all.
    """

    letters: int
    found: int
    share: float
    all: int
    share_of_all: float


class Dataset(TypedDict):
    """What was found, in words; `examples` are spread evenly over it."""

    found: int
    says: str
    examples: list[str]
    lengths: list[LengthCount]


def dataset(piece: str, where: Literal["anywhere", "start", "end"]) -> Dataset:
    """Return what the names that have this piece, in this place, have in common."""
    names = load_names()
    piece = piece.strip().lower()
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
        found=len(found),
        says=in_words(piece, where, found, names),
        examples=spread(found, EXAMPLES),
        lengths=[
            LengthCount(
                letters=n,
                found=of_found[n],
                share=share(of_found[n], len(found)),
                all=of_all[n],
                share_of_all=share(of_all[n], len(names)),
            )
            for n in range(min(of_all), max(of_all) + 1)
        ],
    )


def share(part: int, whole: int) -> float:
    """Return which share of the whole a part is, to four decimals."""
    return round(part / whole, 4) if whole else 0.0


def in_words(piece: str, where: str, found: list[str], names: list[str]) -> str:
    """Say how many names were found, and how long they are."""
    all_names, mean = f"{len(names):,}", f"{mean_length(names):.2f}"
    if not piece:
        return f"All {all_names} names, with {mean} letters on average."
    one, many = {
        "anywhere": ("contains", "contain"),
        "start": ("begins with", "begin with"),
        "end": ("ends with", "end with"),
    }[where]
    if not found:
        return f"Not one of the {all_names} names {one} “{piece}”."
    verb = one if len(found) == 1 else many
    percent = f"{100 * len(found) / len(names):.2f}%"
    return (
        f"{len(found):,} of the {all_names} names {verb} “{piece}”, which is {percent}. "
        f"They have {mean_length(found):.2f} letters on average; all names have {mean}."
    )


def spread(names: list[str], count: int) -> list[str]:
    """Return some of the names, at even distances."""
    count = min(count, len(names))
    return [names[i * len(names) // count] for i in range(count)]


def mean_length(names: list[str]) -> float:
    """Return the mean number of letters."""
    return sum(map(len, names)) / len(names)
