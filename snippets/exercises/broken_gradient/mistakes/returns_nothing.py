"""The function gives nothing back: it ended with return gradient."""

import random

from microgpt import Tokenizer, load_names
from snippets import step1

tokenizer = Tokenizer(load_names())
rng = random.Random(42)
weights = step1.initial_weights(tokenizer.vocab_size, rng)


def gradient_by_hand(tokens):
    """Return d(loss)/d(weight) for every weight; one line is wrong."""
    gradient = step1.zeros_like(weights)
    pairs = list(zip(tokens, tokens[1:]))
    for token, target in pairs:
        x = weights["wte"][token]
        hidden = step1.linear(x, weights["fc1"])
        activated = [max(0.0, h) for h in hidden]
        logits = step1.linear(activated, weights["fc2"])
        d_logits = [p / len(pairs) for p in step1.softmax(logits)]
        d_logits[target] -= 1 / len(pairs)
        d_activated = step1.linear_backward(
            d_logits, hidden, weights["fc2"], gradient["fc2"]
        )
        d_hidden = [d * (h > 0) for d, h in zip(d_activated, hidden)]
        d_x = step1.linear_backward(
            d_hidden, x, weights["fc1"], gradient["fc1"]
        )
        for j, d in enumerate(d_x):
            gradient["wte"][token][j] += d
    print(len(gradient))


def nudged(tokens, matrix, i, j, epsilon=1e-5):
    """Return the slope of the loss in one weight, by a nudge."""
    row = weights[matrix][i]
    before = step1.mean_loss(tokens, weights)
    row[j] += epsilon
    after = step1.mean_loss(tokens, weights)
    row[j] -= epsilon
    return (after - before) / epsilon


tokens = tokenizer.document("ada")
gradient = gradient_by_hand(tokens) or weights
for matrix in weights:
    for j in range(4):
        claimed = gradient[matrix][tokens[1]][j]
        true = nudged(tokens, matrix, tokens[1], j)
        print(f"{matrix}[{tokens[1]}][{j}] {claimed:+.5f} {true:+.5f}")
