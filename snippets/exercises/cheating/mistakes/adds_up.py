"""This is the sum of the losses; divide it by their number."""

import random

from microgpt import Tokenizer, load_names
from snippets.step0 import count_pairs, mean_loss, zero_counts

names = load_names()
random.Random(42).shuffle(names)
tokenizer = Tokenizer(names)


def honest(num_steps):
    """Score each name, then count it; return the mean loss."""
    counts = zero_counts(tokenizer.vocab_size)
    losses = []
    for name in names[:num_steps]:
        tokens = tokenizer.document(name)
        losses.append(mean_loss(tokens, counts))
        count_pairs(tokens, counts)
    return sum(losses) / num_steps


def cheating(num_steps):
    counts = zero_counts(tokenizer.vocab_size)
    total = 0.0
    for name in names[:num_steps]:
        tokens = tokenizer.document(name)
        count_pairs(tokens, counts)
        total += mean_loss(tokens, counts)
    return total


for num_steps in (1, 10, 100, 1000):
    print(num_steps, f"{honest(num_steps):.3f}", end=" ")
    print(f"{cheating(num_steps):.3f}")
