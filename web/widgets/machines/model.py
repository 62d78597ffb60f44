"""How long machines compute and send in a step of training, and what a card must hold."""

import math
from typing import TypedDict

from microgpt import Config
from widgets._numbers import significant

# Vocabulary, layers, width, heads, context (Radford et al., 2019; Brown et al., 2020)
MODELS = {
    "GPT-2": Config(50257, 12, 768, 12, 1024),
    "GPT-2 XL": Config(50257, 48, 1600, 25, 1024),
    "GPT-3 6.7B": Config(50257, 32, 4096, 32, 2048),
    "GPT-3": Config(50257, 96, 12288, 96, 2048),
}
TOKENS = (2**19, 2**20, 2**21, 2**22)
MACHINES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LINKS = (10, 25, 100, 400, 1600)
# Of an H100 (SXM): dense products in bfloat16 per second, of which so much is reached
PEAK, REACHED = 989e12, 0.4
CARD = 80.0  # GB
NUMBER = 4  # bytes
PER_PARAMETER = 4 * NUMBER  # bytes: a weight, its gradient and Adam's two means


class Way(TypedDict):
    """Copied or cut: seconds to send by link and machines, GB of a card by machines."""

    send: list[list[float]]
    memory: list[float]


class MachinesModel(TypedDict):
    """A model, and how many seconds a step computes, by tokens and machines."""

    name: str
    parameters: int
    compute: list[list[float]]
    copied: Way
    cut: Way


class Machines(TypedDict):
    """All that can be chosen, and where it begins."""

    models: list[MachinesModel]
    tokens: list[int]
    machines: list[int]
    links: list[int]
    card: float
    reached: int
    start: list[int]


def machines(model: str, tokens: int, machines: int, gigabits: int) -> Machines:
    """Compute every combination; begin with the one that is given."""
    begin = (
        _place(model, list(MODELS), "model"),
        _place(tokens, TOKENS, "tokens"),
        _place(machines, MACHINES, "machines"),
        _place(gigabits, LINKS, "gigabits"),
    )
    return Machines(
        models=[_model(name, config) for name, config in MODELS.items()],
        tokens=list(TOKENS),
        machines=list(MACHINES),
        links=list(LINKS),
        card=CARD,
        reached=round(100 * REACHED),
        start=list(begin),
    )


def _model(name: str, config: Config) -> MachinesModel:
    count = config.num_parameters
    rate = PEAK * REACHED
    return MachinesModel(
        name=name,
        parameters=count,
        compute=[
            [significant(t * operations(config) / rate / n) for n in MACHINES]
            for t in TOKENS
        ],
        copied=_way(count, 2, cut=False),
        cut=_way(count, 3, cut=True),
    )


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


def _way(parameters: int, rounds: int, cut: bool) -> Way:
    """Each round of a ring sends all numbers but the machine's own part."""
    sent = [rounds * NUMBER * parameters * (n - 1) / n for n in MACHINES]
    held = PER_PARAMETER * parameters / 1e9
    return Way(
        send=[[significant(8 * s / (link * 1e9)) for s in sent] for link in LINKS],
        memory=[significant(held / (n if cut else 1)) for n in MACHINES],
    )


def _place(value: object, choices: list[str] | tuple[int, ...], name: str) -> int:
    if value not in choices:
        listed = ", ".join(map(str, choices))
        raise ValueError(f"{name}: choose one of {listed}")
    return list(choices).index(value)
