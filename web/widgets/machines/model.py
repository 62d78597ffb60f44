"""How long machines compute and send in a step of training, and what a card must hold."""

import math
from typing import TypedDict

from microgpt import Config

# Vocabulary, layers, width, heads, context (Radford et al., 2019; Brown et al., 2020)
MODELS = {
    "GPT-2": Config(50257, 12, 768, 12, 1024),
    "GPT-2 XL": Config(50257, 48, 1600, 25, 1024),
    "GPT-3 6.7B": Config(50257, 32, 4096, 32, 2048),
    "GPT-3": Config(50257, 96, 12288, 96, 2048),
}
CARD = 80.0  # GB, of an H100 (SXM)
NUMBER = 4  # bytes


class MachinesModel(TypedDict):
    """A model, and how many operations a step takes for one token."""

    name: str
    parameters: int
    operations: int


class Machines(TypedDict):
    """The models that can be trained; the GB of a card, and the bytes of a number."""

    models: list[MachinesModel]
    card: float
    number: int


def machines() -> Machines:
    """Return what the browser computes times and memory from."""
    models = [
        MachinesModel(
            name=name,
            parameters=config.num_parameters,
            operations=operations(config),
        )
        for name, config in MODELS.items()
    ]
    return Machines(models=models, card=CARD, number=NUMBER)


def operations(config: Config) -> int:
    """Return the additions and multiplications of a step for one token.

    Two for each weight that is multiplied on the way forward, and twice as many on the
    way back; in attention, as many for each number of the tokens before, half the
    context on average, in scores and in what is gathered.
    """
    shapes = config.shapes()
    looked_up = math.prod(shapes["wte"]) + math.prod(shapes["wpe"])
    attention = config.n_layer * config.n_embd * config.block_size
    return 6 * (config.num_parameters - looked_up + attention)
