"""The graph in single steps: a node for each product and each sum.

The model is that of the lesson, over this `dot`.
"""

from __future__ import annotations

import random
from functools import update_wrapper
from types import FunctionType
from typing import Any

from microgpt import attention, nn
from microgpt.autograd import Value
from microgpt.engines import dot as one_node
from microgpt.model import GPT, Config
from microgpt.nn import Vector
from microgpt.optim import Adam


class Engine(one_node.Engine):
    """The engine as taught, of a model with a larger graph."""

    def __init__(self, config: Config, rng: random.Random) -> None:
        self.model = SingleSteps(config, rng)
        self.optimizer = Adam(self.model.parameters())


def dot(a: Vector, b: Vector) -> Value:
    """Add up products: a node for each, and one for each addition."""
    total = a[0] * b[0]
    for ai, bi in zip(a[1:], b[1:], strict=True):
        total = total + ai * bi
    return total


def here(function: Any) -> Any:
    """Return a function of the lesson that looks for others here."""
    return update_wrapper(
        FunctionType(function.__code__, globals()), function
    )


linear, softmax, rmsnorm, attend = map(
    here, (nn.linear, nn.softmax, nn.rmsnorm, attention.attend)
)


class SingleSteps(GPT):
    """A GPT whose layers call the functions of this module."""

    forward = here(GPT.forward)
    attention = here(GPT.attention)
    mlp = here(GPT.mlp)


def in_single_steps(model: GPT) -> SingleSteps:
    """Return a model with the same parameters, and a larger graph."""
    same = SingleSteps(model.config, random.Random())
    same.weights = model.weights
    return same
