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
    """List the pairs of tokens that have probability 0 without smoothing."""
    tokens = tokenizer.document(name)
    pairs = []
    for token, target in zip(tokens, tokens[1:]):
        if counts[token][target] == 0:
            pairs.append((token, target))
    return pairs


for name in ("maria", "emma", "ben"):
    print(name, impossible_pairs(name))
