"""What a file says, looked at part by part before it is used.

Each function raises ValueError for what does not fit, and KeyError or
TypeError for what is not there at all.
"""

import math
import random
from dataclasses import asdict
from typing import Any

from microgpt.engines.protocol import State
from microgpt.model import Config
from microgpt.tokenizer import Tokenizer

Weights = dict[str, list[list[float]]]


def config_of(content: dict[str, Any]) -> Config:
    """Read the sizes; compare them with the rest before building."""
    sizes, weights = content["config"], content["weights"]
    for size in sizes.values():
        whole(size, least=1)
    config = Config(**sizes)
    if asdict(config) != sizes:
        raise ValueError("a size is missing")
    characters = Tokenizer([content["characters"]]).characters
    if (
        characters != content["characters"]
        or len(characters) + 1 != config.vocab_size
    ):
        raise ValueError(
            "its characters are out of order, or do not fit its sizes"
        )
    if config.n_layer > len(weights) or config.shapes() != {
        name: (len(matrix), *{len(row) for row in matrix})
        for name, matrix in weights.items()
    }:
        raise ValueError("its weights do not fit its sizes")
    return config


def weights_of(config: Config, weights: Weights) -> list[float]:
    """Return all weights in a row, in the order of the shapes."""
    matrices = [weights[name] for name in config.shapes()]
    rows = (row for matrix in matrices for row in matrix)
    return [number(x) for row in rows for x in row]


def state_of(
    weights: list[float], saved: dict[str, Any], num_steps: int
) -> State:
    """Return what a run has learnt, of as many steps as it may have."""
    state = State(
        weights,
        first=[number(x) for x in saved["first"]],
        second=[number(x, least=0) for x in saved["second"]],
        steps=whole(saved["steps"], least=0, below=num_steps + 1),
        beta1=number(saved["beta1"], least=0, below=1),
        beta2=number(saved["beta2"], least=0, below=1),
        epsilon=number(saved["epsilon"], least=0),
    )
    if not len(state.first) == len(state.second) == len(weights):
        raise ValueError("its optimizer does not fit its sizes")
    return state


def random_state_of(saved: Any) -> tuple[Any, ...]:
    """Return the state of a generator, as `setstate` takes it."""
    version, words, gauss_next = saved
    gauss_next = None if gauss_next is None else number(gauss_next)
    state = version, tuple(words), gauss_next
    random.Random().setstate(state)  # or say what is wrong with it
    return state


def number(
    x: Any, least: float = -math.inf, below: float = math.inf
) -> float:
    """Return a finite number that lies within its limits."""
    if (
        type(x) not in (int, float)
        or not math.isfinite(x)
        or not least <= x < below
    ):
        raise ValueError("a number is out of range")
    return float(x)


def whole(
    x: Any,
    least: float = -math.inf,
    below: float = math.inf,
) -> int:
    """Return a whole number that lies within its limits."""
    if type(x) is not int or not least <= x < below:
        raise ValueError("a whole number is out of range")
    return x
