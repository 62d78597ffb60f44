"""Step 4: a transformer: several heads, and layers of them."""

import argparse
import json
import os
import random
from collections.abc import Iterator

from microgpt.autograd import Value
from microgpt.data import load_names
from microgpt.model import GPT, Config
from microgpt.nn import softmax
from microgpt.optim import SGD, linear_decay
from microgpt.tokenizer import Tokenizer


def mean_loss(tokens: list[int], model: GPT) -> Value:
    """Return the mean of −log p(next token), in nats, over a name."""
    cache = model.new_cache()
    losses = []
    for token, target in zip(tokens[:16], tokens[1:]):
        probabilities = softmax(model.forward(token, cache))
        losses.append(-probabilities[target].log())
    return Value.sum(losses) / len(losses)


def train_step(
    tokens: list[int], model: GPT, optimizer: SGD, rate: float
) -> float:
    """Learn from one name; return its loss before the step."""
    loss = mean_loss(tokens, model)
    loss.backward()
    optimizer.step(rate)
    optimizer.zero_grad()
    return loss.data


def train(
    names: list[str],
    tokenizer: Tokenizer,
    model: GPT,
    num_steps: int = 1000,
) -> Iterator[float]:
    """Learn from one name per step; yield each loss."""
    optimizer = SGD(model.parameters())
    for step in range(num_steps):
        tokens = tokenizer.document(names[step % len(names)])
        rate = linear_decay(0.1, step, num_steps)
        yield train_step(tokens, model, optimizer, rate)


def sample(
    model: GPT,
    tokenizer: Tokenizer,
    rng: random.Random,
    temperature: float = 0.5,
) -> str:
    """Invent a name of at most 16 letters, one letter at a time."""
    cache = model.new_cache()
    token, name = tokenizer.bos, ""
    while len(name) < 16:
        logits = model.forward(token, cache)
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
    model = GPT(Config(vocab_size=tokenizer.vocab_size), rng)
    losses = train(names, tokenizer, model, args.steps)
    with open(args.losses or os.devnull, "w") as file:
        for step, loss in enumerate(losses, 1):
            print(f"step {step:4d} / {args.steps:4d} | loss {loss:.4f}")
            print(json.dumps({"step": step, "loss": loss}), file=file)
    for i in range(20):
        print(f"sample {i + 1:2d}: {sample(model, tokenizer, rng)}")


def parse_arguments() -> argparse.Namespace:
    """Parse the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file with a name per line")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--losses", help="a file for the losses")
    return parser.parse_args()


if __name__ == "__main__":
    main()
