"""Step 6: the whole model, which learns names and invents its own."""

from __future__ import annotations

import argparse
import json

from microgpt.data import load_names
from microgpt.model import Config
from microgpt.sampling import sample
from microgpt.tokenizer import Tokenizer
from microgpt.training import Run


def main() -> None:
    """Train on a file of names, then invent twenty."""
    args = arguments()
    try:
        names = load_names(args.docs)
    except ValueError as error:
        raise SystemExit(f"error: {error}") from None
    vocab_size = Tokenizer(names).vocab_size
    run = Run(names, Config(vocab_size=vocab_size), args.steps)
    losses = []
    for loss in run.train():
        losses.append(loss)
        print(f"step {run.step:4d} / {args.steps:4d} | loss {loss:.4f}")
    if args.losses:
        write_losses(losses, args.losses)
    for i in range(20):
        name = sample(run.model, run.tokenizer, run.rng)
        print(f"sample {i + 1:2d}: {name}")


def write_losses(losses: list[float], path: str) -> None:
    """Write each step and its loss, as one line of JSON."""
    with open(path, "w") as file:
        for step, loss in enumerate(losses, 1):
            record = {"step": step, "loss": loss}
            file.write(json.dumps(record) + "\n")


def arguments() -> argparse.Namespace:
    """Read what was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file with a name per line")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--losses", help="a file to write them to")
    return parser.parse_args()


if __name__ == "__main__":
    main()
