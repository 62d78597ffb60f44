"""Letters are not tokens: the table is asked by number."""

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
    pairs = []
    for a, b in zip(name, name[1:]):
        token, target = tokenizer.encode(a + b)
        if counts[token][target] == 0:
            pairs.append((a, b))
    return pairs
