"""Step 2: the same network, gradient by automatic differentiation."""

import argparse
import json
import os
import random
from collections.abc import Iterator

from microgpt.autograd import Value
from microgpt.data import load_names
from microgpt.nn import Matrix, Vector, gaussian_matrix, linear, softmax
from microgpt.optim import SGD, linear_decay
from microgpt.tokenizer import Tokenizer

Weights = dict[str, Matrix]


def initial_weights(vocab_size: int, rng: random.Random) -> Weights:
    """Draw the embeddings and the two linear layers of the network."""
    return {
        "wte": gaussian_matrix(vocab_size, 16, 0.08, rng),
        "fc1": gaussian_matrix(64, 16, 0.08, rng),
        "fc2": gaussian_matrix(vocab_size, 64, 0.08, rng),
    }


def parameters(weights: Weights) -> list[Value]:
    """Return every weight, matrix by matrix and row by row."""
    matrices = weights.values()
    return [p for matrix in matrices for row in matrix for p in row]


def forward(token: int, weights: Weights) -> Vector:
    """Return a logit for each token that could be next."""
    x = weights["wte"][token]
    hidden = linear(x, weights["fc1"])
    activated = [h.relu() for h in hidden]
    return linear(activated, weights["fc2"])


def mean_loss(tokens: list[int], weights: Weights) -> Value:
    """Return the mean of −log p(next token), in nats, over a name."""
    losses = []
    for token, target in zip(tokens, tokens[1:]):
        probabilities = softmax(forward(token, weights))
        losses.append(-probabilities[target].log())
    return Value.sum(losses) / len(losses)


def train_step(
    tokens: list[int], weights: Weights, optimizer: SGD, rate: float
) -> float:
    """Learn from one name; return its loss before the step."""
    loss = mean_loss(tokens, weights)
    loss.backward()
    optimizer.step(rate)
    optimizer.zero_grad()
    return loss.data


def train(
    names: list[str],
    tokenizer: Tokenizer,
    weights: Weights,
    num_steps: int = 1000,
) -> Iterator[float]:
    """Learn from one name per step; yield each loss."""
    optimizer = SGD(parameters(weights))
    for step in range(num_steps):
        tokens = tokenizer.document(names[step % len(names)])
        rate = linear_decay(1.0, step, num_steps)
        yield train_step(tokens, weights, optimizer, rate)


def sample(
    weights: Weights,
    tokenizer: Tokenizer,
    rng: random.Random,
    temperature: float = 0.5,
) -> str:
    """Invent a name of at most 16 letters, one letter at a time."""
    token, name = tokenizer.bos, ""
    while len(name) < 16:
        logits = forward(token, weights)
        p = softmax([logit / temperature for logit in logits])
        chances = [pi.data for pi in p]
        token = rng.choices(range(tokenizer.vocab_size), chances)[0]
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
    weights = initial_weights(tokenizer.vocab_size, rng)
    losses = train(names, tokenizer, weights, args.steps)
    with open(args.losses or os.devnull, "w") as file:
        for step, loss in enumerate(losses, 1):
            print(f"step {step:4d} / {args.steps:4d} | loss {loss:.4f}")
            print(json.dumps({"step": step, "loss": loss}), file=file)
    for i in range(20):
        print(f"sample {i + 1:2d}: {sample(weights, tokenizer, rng)}")


def parse_arguments() -> argparse.Namespace:
    """Parse the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file with a name per line")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--losses", help="a file for the losses")
    return parser.parse_args()


if __name__ == "__main__":
    main()
