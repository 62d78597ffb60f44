"""Letter 2 of 4 takes from what came before it, but not from itself. Leave nobody out."""

import random

from microgpt import SGD, Tokenizer, Value, attend, load_names, softmax
from microgpt.nn import gaussian_matrix

names = load_names()
random.Random(42).shuffle(names)
tokenizer = Tokenizer(names)


def gather(queries, keys, values):
    """Let each letter take from itself and from those before it."""
    gathered = []
    for i, query in enumerate(queries):
        taken = attend(query, keys[: max(i, 1)], values[: max(i, 1)])
        gathered.append(taken)
    return gathered


def whole(tokens, weights):
    """Read a name at once; what each letter gathers are its logits."""
    values = [weights["values"][token] for token in tokens]
    queries = weights["queries"][: len(tokens)]
    keys = weights["keys"][: len(tokens)]
    return gather(queries, keys, values)


def letter_by_letter(tokens, weights):
    """Read a name as sampling does, when nothing comes after yet."""
    ends = range(1, len(tokens) + 1)
    return [whole(tokens[:end], weights)[-1] for end in ends]


def mean_loss(read, name, weights):
    tokens = tokenizer.document(name)
    losses = [
        -softmax(logits)[target].log()
        for logits, target in zip(
            read(tokens[:-1], weights), tokens[1:]
        )
    ]
    return Value.sum(losses) / len(losses)


rng = random.Random(42)
weights = {  # queries and keys of positions, values of tokens
    "queries": gaussian_matrix(16, 8, 0.3, rng),
    "keys": gaussian_matrix(16, 8, 0.3, rng),
    "values": gaussian_matrix(27, 27, 0.08, rng),
}
optimizer = SGD([p for m in weights.values() for row in m for p in row])
for name in names[:150]:
    mean_loss(whole, name, weights).backward()
    optimizer.step(8.0)
    optimizer.zero_grad()

for read in (whole, letter_by_letter):
    losses = [mean_loss(read, n, weights).data for n in names[150:170]]
    print(f"{read.__name__}: {sum(losses) / len(losses):.2f}")
