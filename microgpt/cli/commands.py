"""The short commands: `microgpt sample` and `microgpt graph`."""

import random
from argparse import Namespace

from microgpt.checkpoint import load_model
from microgpt.expression import evaluate
from microgpt.graph import format_table, mermaid
from microgpt.sampling import sample

GRAPH_FORMATS = {"mermaid": mermaid, "text": format_table}


def sample_command(options: Namespace) -> int:
    """`microgpt sample`: print documents that a saved model invents."""
    model, tokenizer = load_model(options.model)
    try:
        length = len(tokenizer.encode(options.prompt))
    except ValueError as error:
        raise ValueError(f"--prompt: {error}") from None
    room = model.config.block_size - 1
    if length > room:
        raise ValueError(
            f"--prompt: expected at most {room} characters, which is all that"
            f" the model can read, got {length}: shorten it"
        )
    rng = random.Random(options.seed)
    temperature, prompt = options.temperature, options.prompt
    limits = {"top_k": options.top_k, "top_p": options.top_p}
    for _ in range(options.count):
        print(sample(model, tokenizer, rng, temperature, prompt, **limits))
    return 0


def graph_command(options: Namespace) -> int:
    """`microgpt graph`: show the graph of an expression, with its gradients."""
    value, names = evaluate(options.expression)
    value.backward()
    print(GRAPH_FORMATS[options.format](value, names))
    return 0
