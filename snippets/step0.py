"""Step 0: a model that counts which letter follows which."""

import argparse
import json
import math
import os
import random
from collections.abc import Iterator

from microgpt.data import load_names
from microgpt.tokenizer import Tokenizer

Counts = list[list[int]]


def zero_counts(vocab_size: int) -> Counts:
    """Return a table with a row and a column for each token."""
    return [[0] * vocab_size for _ in range(vocab_size)]


def probabilities(
    token: int, counts: Counts, smoothing: float = 1.0
) -> list[float]:
    """Return for each token how likely it is to follow this one."""
    smoothed = [count + smoothing for count in counts[token]]
    total = sum(smoothed)
    return [count / total for count in smoothed]


def mean_loss(tokens: list[int], counts: Counts) -> float:
    """Return the mean of −log p(next token), in nats, over a name."""
    losses = []
    for token, target in zip(tokens, tokens[1:]):
        p = probabilities(token, counts)
        losses.append(-math.log(p[target]))
    return sum(losses) / len(losses)


def count_pairs(tokens: list[int], counts: Counts) -> None:
    """Count each pair of neighbours once more."""
    for token, target in zip(tokens, tokens[1:]):
        counts[token][target] += 1


def train_step(tokens: list[int], counts: Counts) -> float:
    """Learn from one name; return its loss before the step."""
    loss = mean_loss(tokens, counts)
    count_pairs(tokens, counts)
    return loss


def train(
    names: list[str],
    tokenizer: Tokenizer,
    counts: Counts,
    num_steps: int = 1000,
) -> Iterator[float]:
    """Learn from one name per step; yield each loss."""
    for step in range(num_steps):
        tokens = tokenizer.document(names[step % len(names)])
        yield train_step(tokens, counts)


def sample(
    counts: Counts, tokenizer: Tokenizer, rng: random.Random
) -> str:
    """Invent a name of at most 16 letters, one letter at a time."""
    token, name = tokenizer.bos, ""
    while len(name) < 16:
        p = probabilities(token, counts)
        token = rng.choices(range(tokenizer.vocab_size), p)[0]
        if token == tokenizer.bos:
            break
        name += tokenizer.decode([token])
    return name


def main() -> None:
    """Train on a file of names, then invent twenty."""
    args = parse_arguments()
    rng = random.Random(42)
    names = load_names(args.docs)
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    counts = zero_counts(tokenizer.vocab_size)
    losses = train(names, tokenizer, counts, args.steps)
    with open(args.losses or os.devnull, "w") as file:
        for step, loss in enumerate(losses, 1):
            print(f"step {step:4d} / {args.steps:4d} | loss {loss:.4f}")
            print(json.dumps({"step": step, "loss": loss}), file=file)
    for i in range(20):
        print(f"sample {i + 1:2d}: {sample(counts, tokenizer, rng)}")


def parse_arguments() -> argparse.Namespace:
    """Parse the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file with a name per line")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--losses", help="a file for the losses")
    return parser.parse_args()


if __name__ == "__main__":
    main()
