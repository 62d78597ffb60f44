"""What examples begin with, in one line of a page: names, tables and networks."""

from __future__ import annotations

import random

from microgpt import Tokenizer, load_names
from snippets import step1, step2
from snippets.step0 import Counts, count_pairs, zero_counts

SEED = 42  # of every program of the ladder


def shuffled() -> tuple[list[str], Tokenizer]:
    """Return the names in the order that every program reads them in, and their tokenizer."""
    names, tokenizer, _ = _begun()
    return names, tokenizer


def counted(read: int = 1000) -> tuple[list[str], Tokenizer, Counts]:
    """Return the names, their tokenizer, and Step 0's table after so many names."""
    names, tokenizer = shuffled()
    counts = zero_counts(tokenizer.vocab_size)
    for name in names[:read]:
        count_pairs(tokenizer.document(name), counts)
    return names, tokenizer, counts


def untrained() -> tuple[list[str], Tokenizer, step1.Weights]:
    """Return the names, their tokenizer, and the weights that Step 1 begins with."""
    names, tokenizer, rng = _begun()
    return (
        names,
        tokenizer,
        step1.initial_weights(tokenizer.vocab_size, rng),
    )


def untrained_values() -> tuple[list[str], Tokenizer, step2.Weights]:
    """Return the same for Step 2: the same numbers, each a `Value`."""
    names, tokenizer, rng = _begun()
    return (
        names,
        tokenizer,
        step2.initial_weights(tokenizer.vocab_size, rng),
    )


def _begun() -> tuple[list[str], Tokenizer, random.Random]:
    """Return the names shuffled, their tokenizer, and the source of all further chance."""
    names, rng = load_names(), random.Random(SEED)
    rng.shuffle(names)
    return names, Tokenizer(names), rng
