"""The graph in single steps: a node for each product and each sum."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from microgpt import attention, nn
from microgpt.autograd import Value
from microgpt.model import GPT, Config
from microgpt.nn import Vector
from microgpt.nn import dot as one_node
from microgpt.training import Backpropagation, backpropagate


class Engine(Backpropagation):
    """The graph as it was before `microgpt.nn.dot` made it smaller."""

    def __init__(self, config: Config, rng: random.Random) -> None:
        super().__init__(config, rng, gradient)


def gradient(model: GPT, tokens: Sequence[int]) -> float:
    """Add the gradient of a document's loss to every `grad`.

    Return the loss.
    """
    with dot_taken_apart():
        return backpropagate(model, tokens)


def dot(a: Vector, b: Vector) -> Value:
    """Add up products: a node for each, and one for each addition."""
    total = a[0] * b[0]
    for ai, bi in zip(a[1:], b[1:], strict=True):
        total = total + ai * bi
    return total


@contextmanager
def dot_taken_apart() -> Iterator[None]:
    """Let the model of the package, as it stands, use this `dot`."""
    modules = (vars(nn), vars(attention))
    for module in modules:
        module["dot"] = dot
    try:
        yield
    finally:
        for module in modules:
            module["dot"] = one_node
