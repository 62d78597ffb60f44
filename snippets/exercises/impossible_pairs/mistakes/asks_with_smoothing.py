"""“emma” has a pair that the table has never seen. Look into its cell of
counts: with smoothing of 1, every probability is above 0."""

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
    pairs = []
    for a, b in zip(tokens, tokens[1:]):
        total = sum(counts[a]) + tokenizer.vocab_size
        if (counts[a][b] + 1) / total == 0:
            pairs.append((a, b))
    return pairs
