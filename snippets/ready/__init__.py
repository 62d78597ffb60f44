"""The names, tables and networks that the programs of the steps begin with."""

import random
from pathlib import Path

from microgpt import GPT, Config, Tokenizer, load_names
from snippets import step1, step2, step3
from snippets.step0 import Counts, count_pairs, zero_counts

SEED = 42  # of every program of the ladder


def load_shuffled_names(
    docs: Path | None = None, seed: int = SEED
) -> tuple[list[str], Tokenizer, random.Random]:
    """Load and shuffle the names; return names, tokenizer, and random generator."""
    names, rng = load_names(docs), random.Random(seed)
    rng.shuffle(names)
    return names, Tokenizer(names), rng


def shuffled_names() -> tuple[list[str], Tokenizer]:
    """Return the names, shuffled as in every program, and their tokenizer."""
    return load_shuffled_names()[:2]


def step0_setup(num_counted: int = 1000) -> tuple[list[str], Tokenizer, Counts]:
    """Return names, tokenizer, and Step 0's table of the first `num_counted` names."""
    names, tokenizer = shuffled_names()
    counts = zero_counts(tokenizer.vocab_size)
    for name in names[:num_counted]:
        count_pairs(tokenizer.document(name), counts)
    return names, tokenizer, counts


def step1_setup() -> tuple[list[str], Tokenizer, step1.Weights]:
    """Return names, tokenizer, and Step 1's initial weights."""
    names, tokenizer, rng = load_shuffled_names()
    return names, tokenizer, step1.initial_weights(tokenizer.vocab_size, rng)


def step2_setup() -> tuple[list[str], Tokenizer, step2.Weights]:
    """Return names, tokenizer, and Step 2's initial weights, each a `Value`."""
    names, tokenizer, rng = load_shuffled_names()
    return names, tokenizer, step2.initial_weights(tokenizer.vocab_size, rng)


def step3_setup() -> tuple[list[str], Tokenizer, step3.Weights]:
    """Return names, tokenizer, and Step 3's initial weights."""
    names, tokenizer, rng = load_shuffled_names()
    return names, tokenizer, step3.initial_weights(tokenizer.vocab_size, rng)


def untrained_gpt() -> tuple[list[str], Tokenizer, GPT]:
    """Return names, tokenizer, and the initial GPT of Steps 4 to 6."""
    names, tokenizer, rng = load_shuffled_names()
    return names, tokenizer, GPT(Config(vocab_size=tokenizer.vocab_size), rng)


# Their names until version 0.2, in edits that readers saved
shuffled, counted, untrained = shuffled_names, step0_setup, step1_setup
untrained_values, untrained_attention = step2_setup, step3_setup
