"""What the programs of the steps begin with: names, tables and networks."""

import random
from pathlib import Path

from microgpt import GPT, Config, Tokenizer, load_names
from snippets import step1, step2, step3
from snippets.step0 import Counts, count_pairs, zero_counts

SEED = 42  # of every program of the ladder


def load_shuffled_names(
    docs: Path | None = None, seed: int = SEED
) -> tuple[list[str], Tokenizer, random.Random]:
    """Load and shuffle the names; return them, their tokenizer, and the random generator."""
    names, rng = load_names(docs), random.Random(seed)
    rng.shuffle(names)
    return names, Tokenizer(names), rng


def shuffled() -> tuple[list[str], Tokenizer]:
    """Return the names in the order that every program reads them in, and their tokenizer."""
    names, tokenizer, _ = load_shuffled_names()
    return names, tokenizer


def counted(read: int = 1000) -> tuple[list[str], Tokenizer, Counts]:
    """Return the names, their tokenizer, and Step 0's table after `read` of them."""
    names, tokenizer = shuffled()
    counts = zero_counts(tokenizer.vocab_size)
    for name in names[:read]:
        count_pairs(tokenizer.document(name), counts)
    return names, tokenizer, counts


def untrained() -> tuple[list[str], Tokenizer, step1.Weights]:
    """Return the names, their tokenizer, and the weights that Step 1 begins with."""
    names, tokenizer, rng = load_shuffled_names()
    return names, tokenizer, step1.initial_weights(tokenizer.vocab_size, rng)


def untrained_values() -> tuple[list[str], Tokenizer, step2.Weights]:
    """Return the names, their tokenizer, and Step 2's first weights, each a `Value`."""
    names, tokenizer, rng = load_shuffled_names()
    return names, tokenizer, step2.initial_weights(tokenizer.vocab_size, rng)


def untrained_attention() -> tuple[list[str], Tokenizer, step3.Weights]:
    """Return the names, their tokenizer, and the weights that Step 3 begins with."""
    names, tokenizer, rng = load_shuffled_names()
    return names, tokenizer, step3.initial_weights(tokenizer.vocab_size, rng)


def untrained_gpt() -> tuple[list[str], Tokenizer, GPT]:
    """Return the names, their tokenizer, and the GPT that Steps 4 to 6 begin with."""
    names, tokenizer, rng = load_shuffled_names()
    return names, tokenizer, GPT(Config(vocab_size=tokenizer.vocab_size), rng)
