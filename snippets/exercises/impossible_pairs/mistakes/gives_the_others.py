"""These are the pairs that the table has seen; the others are asked for."""

import random

from microgpt import Tokenizer, load_names
from snippets.step0 import count_pairs, zero_counts

names = load_names()
random.Random(42).shuffle(names)
tokenizer = Tokenizer(names)
counts = zero_counts(tokenizer.vocab_size)
for name in names[:50]:
    count_pairs(tokenizer.document(name), counts)


def impossible_pairs(name):
    tokens = tokenizer.document(name)
    return [(a, b) for a, b in zip(tokens, tokens[1:]) if counts[a][b]]
