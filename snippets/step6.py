"""Step 6: the whole model, which learns names and invents its own."""

import argparse
import random

from microgpt.data import load_names
from microgpt.model import GPT, Config
from microgpt.sampling import sample
from microgpt.tokenizer import Tokenizer
from microgpt.training import train


def main() -> None:
    """Train on a file of names, then invent twenty."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file with a name per line")
    parser.add_argument("--steps", type=int, default=1000)
    args = parser.parse_args()
    rng = random.Random(42)
    try:
        names = load_names(args.docs)
    except (OSError, ValueError) as error:
        file = args.docs or "names.txt"
        raise SystemExit(f"error: {file}: {error}") from None
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    model = GPT(Config(vocab_size=tokenizer.vocab_size), rng)
    documents = [tokenizer.document(name) for name in names]
    for step, loss in enumerate(train(model, documents, args.steps), 1):
        print(f"step {step:4d} / {args.steps:4d} | loss {loss:.4f}")
    for i in range(20):
        print(f"sample {i + 1:2d}: {sample(model, tokenizer, rng)}")


if __name__ == "__main__":
    main()
