"""Step 1: a network that guesses the next letter, gradient by hand."""

import argparse
import json
import math
import os
import random
from collections.abc import Iterator

from microgpt.data import load_names
from microgpt.optim import linear_decay
from microgpt.tokenizer import Tokenizer

Vector = list[float]
Matrix = list[Vector]
Weights = dict[str, Matrix]


def gaussian_matrix(
    rows: int, columns: int, std: float, rng: random.Random
) -> Matrix:
    """Draw a rows × columns matrix from a normal distribution."""
    return [
        [rng.gauss(0, std) for _ in range(columns)] for _ in range(rows)
    ]


def initial_weights(vocab_size: int, rng: random.Random) -> Weights:
    """Draw the embeddings and the two linear layers of the network."""
    return {
        "wte": gaussian_matrix(vocab_size, 16, 0.08, rng),
        "fc1": gaussian_matrix(64, 16, 0.08, rng),
        "fc2": gaussian_matrix(vocab_size, 64, 0.08, rng),
    }


def linear(x: Vector, weight: Matrix) -> Vector:
    """Map a vector of `in` numbers to one of `out`."""
    outputs = []
    for row in weight:
        total = 0.0
        for wi, xi in zip(row, x):
            total += wi * xi
        outputs.append(total)
    return outputs


def softmax(logits: Vector) -> Vector:
    """Turn any numbers into probabilities that add up to 1."""
    largest = max(logits)
    exps = [math.exp(logit - largest) for logit in logits]
    total = sum(exps)
    return [exp / total for exp in exps]


def forward(token: int, weights: Weights) -> Vector:
    """Return a logit for each token that could be next."""
    x = weights["wte"][token]
    hidden = linear(x, weights["fc1"])
    activated = [max(0.0, h) for h in hidden]
    return linear(activated, weights["fc2"])


def mean_loss(tokens: list[int], weights: Weights) -> float:
    """Return the mean of −log p(next token), in nats, over a name."""
    losses = []
    for token, target in zip(tokens, tokens[1:]):
        probabilities = softmax(forward(token, weights))
        losses.append(-math.log(probabilities[target]))
    return sum(losses) / len(losses)


def numerical_gradient(
    tokens: list[int], weights: Weights, epsilon: float = 1e-5
) -> Weights:
    """Nudge each weight by epsilon, and see how the loss changes."""
    loss = mean_loss(tokens, weights)
    gradient = zeros_like(weights)
    for name, matrix in weights.items():
        for row, d_row in zip(matrix, gradient[name]):
            for j, weight in enumerate(row):
                row[j] = weight + epsilon
                nudged = mean_loss(tokens, weights)
                d_row[j] = (nudged - loss) / epsilon
                row[j] = weight
    return gradient


def analytic_gradient(tokens: list[int], weights: Weights) -> Weights:
    """Return d(loss)/d(weight) for every weight, by the chain rule."""
    gradient = zeros_like(weights)
    pairs = list(zip(tokens, tokens[1:]))
    for token, target in pairs:
        x = weights["wte"][token]
        hidden = linear(x, weights["fc1"])
        activated = [max(0.0, h) for h in hidden]
        probabilities = softmax(linear(activated, weights["fc2"]))
        d_logits = [p / len(pairs) for p in probabilities]
        d_logits[target] -= 1 / len(pairs)
        d_activated = linear_backward(
            d_logits, activated, weights["fc2"], gradient["fc2"]
        )
        d_hidden = [d * (h > 0) for d, h in zip(d_activated, hidden)]
        d_x = linear_backward(
            d_hidden, x, weights["fc1"], gradient["fc1"]
        )
        for j, d in enumerate(d_x):
            gradient["wte"][token][j] += d
    return gradient


def linear_backward(
    d_output: Vector, x: Vector, weight: Matrix, d_weight: Matrix
) -> Vector:
    """Add to d_weight its part; return d(loss)/d(x)."""
    d_x = [0.0] * len(x)
    for d, row, d_row in zip(d_output, weight, d_weight):
        for j, (wj, xj) in enumerate(zip(row, x)):
            d_row[j] += d * xj
            d_x[j] += d * wj
    return d_x


def zeros_like(weights: Weights) -> Weights:
    """Return matrices of zeros, of the same shapes."""
    return {
        name: [[0.0] * len(row) for row in matrix]
        for name, matrix in weights.items()
    }


def largest_gradient_error(
    tokens: list[int], weights: Weights
) -> float:
    """Compare the two gradients; return the largest difference."""
    numerical = numerical_gradient(tokens, weights)
    analytic = analytic_gradient(tokens, weights)
    return max(
        abs(n - a)
        for name in weights
        for n_row, a_row in zip(numerical[name], analytic[name])
        for n, a in zip(n_row, a_row)
    )


def descend(weights: Weights, gradient: Weights, rate: float) -> None:
    """Move every weight a little against its gradient."""
    for name, matrix in weights.items():
        for row, d_row in zip(matrix, gradient[name]):
            for j, d in enumerate(d_row):
                row[j] -= rate * d


def train_step(
    tokens: list[int], weights: Weights, rate: float
) -> float:
    """Learn from one name; return its loss before the step."""
    loss = mean_loss(tokens, weights)
    gradient = analytic_gradient(tokens, weights)
    descend(weights, gradient, rate)
    return loss


def train(
    names: list[str],
    tokenizer: Tokenizer,
    weights: Weights,
    num_steps: int = 1000,
) -> Iterator[float]:
    """Learn from one name per step; yield each loss."""
    for step in range(num_steps):
        tokens = tokenizer.document(names[step % len(names)])
        rate = linear_decay(1.0, step, num_steps)
        yield train_step(tokens, weights, rate)


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
    weights = initial_weights(tokenizer.vocab_size, rng)
    if args.check:
        tokens = tokenizer.document(names[0])
        error = largest_gradient_error(tokens, weights)
        print(f"largest error of the gradient: {error:.1e}")
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
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
