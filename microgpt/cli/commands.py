"""The short commands: `microgpt sample` and `microgpt graph`."""

import random
from argparse import Namespace

from microgpt.cli.checkpoint import load_model
from microgpt.cli.expression import evaluate
from microgpt.cli.graph import mermaid, table
from microgpt.model import Config
from microgpt.sampling import sample

COLDEST, HOTTEST = 0.001, 1000  # temperatures that `sample` takes
FORMATS = {"mermaid": mermaid, "text": table}


def invent(options: Namespace) -> int:
    """`microgpt sample`: print documents that a saved model invents."""
    model, tokenizer = load_model(options.model)
    prompt = tokenizer.encode(options.prompt)
    check_sampling(model.config, options.temperature, len(prompt))
    rng = random.Random(options.seed)
    how = options.temperature, options.prompt
    for _ in range(options.count):
        print(sample(model, tokenizer, rng, *how))
    return 0


def check_sampling(config: Config, temperature: float, length: int) -> None:
    """Raise ValueError for what `sample` cannot go by."""
    if not COLDEST <= temperature <= HOTTEST:
        raise ValueError(
            f"temperature must be from {COLDEST} to {HOTTEST}, not {temperature}"
        )
    room = config.block_size
    if length >= room:
        raise ValueError(
            f"the prompt has {length} characters; "
            f"a context of {room} has room for {room - 1}"
        )


def show_graph(options: Namespace) -> int:
    """`microgpt graph`: show the graph of an expression, with its gradients."""
    value, names = evaluate(options.expression)
    value.backward()
    print(FORMATS[options.format](value, names))
    return 0
