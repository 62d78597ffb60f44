"""The short commands: `microgpt sample` and `microgpt graph`."""

import random
from argparse import Namespace

from microgpt.checkpoint import load_model
from microgpt.expression import evaluate
from microgpt.graph import format_table, mermaid
from microgpt.sampling import sample

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.001, 1000
FORMATS = {"mermaid": mermaid, "text": format_table}


def sample_command(options: Namespace) -> int:
    """`microgpt sample`: print documents that a saved model invents."""
    model, tokenizer = load_model(options.model)
    if not MIN_TEMPERATURE <= options.temperature <= MAX_TEMPERATURE:
        raise ValueError(
            f"temperature must be from {MIN_TEMPERATURE} to {MAX_TEMPERATURE},"
            f" not {options.temperature}"
        )
    length = len(tokenizer.encode(options.prompt))
    room = model.config.block_size
    if length >= room:
        raise ValueError(
            f"the prompt has {length} characters; "
            f"a context of {room} has room for {room - 1}"
        )
    rng = random.Random(options.seed)
    how = options.temperature, options.prompt
    cuts = {"top_k": options.top_k, "top_p": options.top_p}
    for _ in range(options.count):
        print(sample(model, tokenizer, rng, *how, **cuts))
    return 0


def graph_command(options: Namespace) -> int:
    """`microgpt graph`: show the graph of an expression, with its gradients."""
    value, names = evaluate(options.expression)
    value.backward()
    print(FORMATS[options.format](value, names))
    return 0
