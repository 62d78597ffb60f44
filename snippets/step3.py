"""Step 3: attention, so that a guess can use every letter so far."""

import argparse
import json
import os
import random
from collections.abc import Iterator

from microgpt.attention import Cache, attend
from microgpt.autograd import Value
from microgpt.data import load_names
from microgpt.nn import (
    Matrix,
    Vector,
    gaussian_matrix,
    linear,
    rmsnorm,
    softmax,
)
from microgpt.optim import SGD, linear_decay
from microgpt.tokenizer import Tokenizer

Weights = dict[str, Matrix]


def initial_weights(vocab_size: int, rng: random.Random) -> Weights:
    """Draw both embeddings, attention, the MLP and the last layer."""
    return {
        "wte": gaussian_matrix(vocab_size, 16, 0.08, rng),
        "wpe": gaussian_matrix(16, 16, 0.08, rng),
        "attn_wq": gaussian_matrix(16, 16, 0.08, rng),
        "attn_wk": gaussian_matrix(16, 16, 0.08, rng),
        "attn_wv": gaussian_matrix(16, 16, 0.08, rng),
        "attn_wo": gaussian_matrix(16, 16, 0.08, rng),
        "mlp_fc1": gaussian_matrix(64, 16, 0.08, rng),
        "mlp_fc2": gaussian_matrix(16, 64, 0.08, rng),
        "lm_head": gaussian_matrix(vocab_size, 16, 0.08, rng),
    }


def parameters(weights: Weights) -> list[Value]:
    """Return every weight, matrix by matrix and row by row."""
    matrices = weights.values()
    return [p for matrix in matrices for row in matrix for p in row]


def forward(token: int, weights: Weights, cache: Cache) -> Vector:
    """Read a token; return a logit for each that could be next."""
    token_embedding = weights["wte"][token]
    position_embedding = weights["wpe"][len(cache.keys)]
    x = [t + p for t, p in zip(token_embedding, position_embedding)]
    x = rmsnorm(x)
    x = attention(x, weights, cache)
    x = mlp(x, weights)
    return linear(x, weights["lm_head"])


def attention(x: Vector, weights: Weights, cache: Cache) -> Vector:
    """Add to x what it gathers from the tokens read so far."""
    normed = rmsnorm(x)
    query = linear(normed, weights["attn_wq"])
    cache.keys.append(linear(normed, weights["attn_wk"]))
    cache.values.append(linear(normed, weights["attn_wv"]))
    gathered = attend(query, cache.keys, cache.values)
    output = linear(gathered, weights["attn_wo"])
    return [o + xi for o, xi in zip(output, x)]


def mlp(x: Vector, weights: Weights) -> Vector:
    """Add to x what two linear layers make of it."""
    hidden = linear(rmsnorm(x), weights["mlp_fc1"])
    activated = [h.relu() for h in hidden]
    output = linear(activated, weights["mlp_fc2"])
    return [o + xi for o, xi in zip(output, x)]


def mean_loss(tokens: list[int], weights: Weights) -> Value:
    """Return the mean of −log p(next token), in nats, over a name."""
    cache = Cache()
    losses = []
    for token, target in zip(tokens[:16], tokens[1:]):
        probabilities = softmax(forward(token, weights, cache))
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
        rate = linear_decay(0.1, step, num_steps)
        yield train_step(tokens, weights, optimizer, rate)


def sample(
    weights: Weights,
    tokenizer: Tokenizer,
    rng: random.Random,
    temperature: float = 0.5,
) -> str:
    """Invent a name of at most 16 letters, one letter at a time."""
    cache = Cache()
    token, name = tokenizer.bos, ""
    while len(name) < 16:
        logits = forward(token, weights, cache)
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
