"""Byte-pair merges, learnt from the guide's names, applied to a name one by one."""

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TypedDict

from microgpt import load_names
from widgets._names import document, tokenizer_of_the_names
from widgets._numbers import counted

MERGES = 60  # as on the page

Pair = tuple[str, str]


class Piece(TypedDict):
    """A token; `made` by the merge of its row, `next` in the merge of the row below."""

    text: str
    made: bool
    next: bool


class BpeStep(TypedDict):
    """A name after a merge that changes it, and what there is to say about that."""

    pieces: list[Piece]
    says: str
    counts: str


class Bpe(TypedDict):
    """The name in letters, then as each merge that fits leaves it."""

    name: str
    steps: list[BpeStep]
    outcome: str


def bpe(name: str) -> Bpe:
    """Take a name apart into letters, and put it together by the learnt merges."""
    document(name)  # refuses what is no name
    name = name.strip().lower()
    alphabet = tokenizer_of_the_names().vocab_size
    rows: list[tuple[list[str], int]] = [(list(name), 0)]
    for number, (pair, _) in enumerate(learnt(), 1):
        pieces = merge(rows[-1][0], pair)
        if len(pieces) < len(rows[-1][0]):
            rows.append((pieces, number))
    steps = []
    for row, (pieces, number) in enumerate(rows):
        made = "".join(learnt()[number - 1][0]) if number else ""
        coming = learnt()[rows[row + 1][1] - 1][0] if rows[row + 1 :] else None
        steps.append(
            BpeStep(
                pieces=marked(pieces, made, coming),
                says=says(number),
                counts=f"{counted(len(pieces), 'token')}, "
                f"vocabulary {alphabet + number}",
            )
        )
    before, after = len(name), len(rows[-1][0])
    return Bpe(
        name=name,
        steps=steps,
        outcome=f"{counted(before, 'letter')}, {counted(after, 'token')} "
        f"after {MERGES} merges.",
    )


@cache
def learnt() -> tuple[tuple[Pair, int], ...]:
    """Return the merges in the order in which they are learnt, each with its count."""
    names = [list(name) for name in load_names()]
    found = []
    for _ in range(MERGES):
        pairs = Counter(pair for name in names for pair in pairwise(name))
        [(most, times)] = pairs.most_common(1)
        # Most names have not both pieces: to look is faster than to go through them.
        names = [merge(n, most) if most[0] in n and most[1] in n else n for n in names]
        found.append((most, times))
    return tuple(found)


def merge(pieces: list[str], pair: Pair) -> list[str]:
    """Make one piece of each two neighbours that are this pair."""
    merged: list[str] = []
    for piece in pieces:
        if merged and (merged[-1], piece) == pair:
            merged[-1] += piece
        else:
            merged.append(piece)
    return merged


def marked(pieces: list[str], made: str, coming: Pair | None) -> list[Piece]:
    """Say of each piece whether it is new, and whether it is merged next."""
    found = [Piece(text=text, made=text == made, next=False) for text in pieces]
    at = 0
    while coming and at < len(pieces) - 1:
        if (pieces[at], pieces[at + 1]) == coming:
            found[at]["next"] = found[at + 1]["next"] = True
            at += 1
        at += 1
    return found


def says(number: int) -> str:
    """Name a merge, and how often its pair stood in the names."""
    if number == 0:
        return "letters"
    (left, right), times = learnt()[number - 1]
    return f"merge {number}: {left} + {right}, {times} times in the names"
