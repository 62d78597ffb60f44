"""The names of the guide as the programs see them, and those that readers type."""

import random
from functools import cache

from microgpt import Tokenizer, load_names

SEED = 42  # of the programs
LONGEST = 16  # letters, as in `sample`


@cache
def tokenizer_of_the_names() -> Tokenizer:
    """Return the tokenizer that the programs make."""
    return Tokenizer(load_names())


def token_names() -> list[str]:
    """Return what readers call each token: its letter, or BOS."""
    return [*tokenizer_of_the_names().characters, "BOS"]


@cache
def shuffled_names() -> tuple[str, ...]:
    """Return the names in the order in which the programs learn them."""
    names = load_names()
    random.Random(SEED).shuffle(names)
    return tuple(names)


def document(name: str, longest: int = LONGEST, shortest: int = 1) -> list[int]:
    """Return the tokens of a name that a reader typed; ValueError if it is none."""
    name = name.strip().lower()
    if len(name) < shortest:
        raise ValueError("type a name: one letter or more")
    if len(name) > longest:
        raise ValueError(f"type at most {longest} letters: this has {len(name)}")
    return tokenizer_of_the_names().document(name)
