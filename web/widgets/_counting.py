"""The model of Step 0 after some of the names, and names that readers type."""

from __future__ import annotations

import random
from functools import cache

from microgpt import Tokenizer, load_names
from snippets.step0 import Counts, count_pairs, zero_counts

SEED = 42  # of the shuffle, as in the program
LEARNT = [0, 10, 100, 1000]  # names that a reader's model may have learnt
LONGEST = 16  # letters, as in `sample`


@cache
def tokenizer_of_the_names() -> Tokenizer:
    """Return the tokenizer that the program makes."""
    return Tokenizer(load_names())


def token_names() -> list[str]:
    """Return what readers call each token: its letter, or BOS."""
    return [*tokenizer_of_the_names().characters, "BOS"]


@cache
def shuffled_names() -> tuple[str, ...]:
    """Return the names in the order in which the program learns them."""
    names = load_names()
    random.Random(SEED).shuffle(names)
    return tuple(names)


def counts_after(learnt: int) -> Counts:
    """Return a table of its own, in which the first names are counted."""
    tokenizer = tokenizer_of_the_names()
    counts = zero_counts(tokenizer.vocab_size)
    for name in shuffled_names()[:learnt]:
        count_pairs(tokenizer.document(name), counts)
    return counts


def document(name: str) -> list[int]:
    """Return the tokens of a name that a reader typed; ValueError if it is none."""
    tokenizer = tokenizer_of_the_names()
    name = name.strip()
    if not name:
        raise ValueError("type a name: one letter or more")
    if len(name) > LONGEST:
        raise ValueError(f"type at most {LONGEST} letters: this has {len(name)}")
    try:
        return tokenizer.document(name)
    except ValueError as error:
        small = name.lower()
        known = small != name and set(small) <= set(tokenizer.characters)
        hint = f"; type {small!r}, in small letters" if known else ""
        raise ValueError(f"{error}{hint}") from None


def shown(x: float, decimals: int = 4) -> float:
    """Return a number as readers see it: browsers would round a tie otherwise."""
    return round(x, decimals)


def short(x: float) -> float:
    """Return a number with five significant digits."""
    return float(f"{x:.5g}")
