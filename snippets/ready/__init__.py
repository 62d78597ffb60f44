"""What examples begin with, in one line of a page: names, tables and networks."""

from __future__ import annotations

import random

from microgpt import Tokenizer, load_names
from snippets.step0 import Counts, count_pairs, zero_counts
from snippets.step1 import Weights, initial_weights

SEED = 42  # of every program of the ladder


def shuffled() -> tuple[list[str], Tokenizer]:
    """Return the names in the order that every program reads them in, and their tokenizer."""
    names = load_names()
    random.Random(SEED).shuffle(names)
    return names, Tokenizer(names)


def counted(read: int = 1000) -> tuple[list[str], Tokenizer, Counts]:
    """Return the names, their tokenizer, and Step 0's table after so many names."""
    names, tokenizer = shuffled()
    counts = zero_counts(tokenizer.vocab_size)
    for name in names[:read]:
        count_pairs(tokenizer.document(name), counts)
    return names, tokenizer, counts


def untrained() -> tuple[list[str], Tokenizer, Weights]:
    """Return the names, their tokenizer, and the weights that Step 1 begins with."""
    names, rng = load_names(), random.Random(SEED)
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    return names, tokenizer, initial_weights(tokenizer.vocab_size, rng)
