"""The graph in single steps: a node for each product and each sum.

The model is that of the lesson, written once more over this `dot`.
"""

from __future__ import annotations

import random

from microgpt.attention import Cache
from microgpt.autograd import Value
from microgpt.engines import dot as one_node
from microgpt.model import GPT, Config
from microgpt.nn import Matrix, Vector, softmax
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


def linear(x: Vector, weight: Matrix) -> Vector:
    """Map `in` numbers to `out` numbers by an out × in matrix."""
    return [dot(row, x) for row in weight]


def rmsnorm(x: Vector) -> Vector:
    """Scale a vector to a root mean square of 1."""
    scale = (dot(x, x) / len(x) + 1e-5) ** -0.5
    return [xi * scale for xi in x]


def attend(query: Vector, keys: Matrix, values: Matrix) -> Vector:
    """Average the values by how well their keys match the query."""
    scale = len(query) ** -0.5
    weights = softmax([dot(query, key) * scale for key in keys])
    columns = zip(*values, strict=True)
    return [dot(weights, list(column)) for column in columns]


def in_single_steps(model: GPT) -> SingleSteps:
    """Return a model with the same parameters, and a larger graph."""
    same = SingleSteps(model.config, random.Random())
    same.weights = model.weights
    return same


class SingleSteps(GPT):
    """A GPT whose layers call the functions of this module."""

    def forward(self, token: int, cache: list[Cache]) -> Vector:
        """Read one more token; return a logit for each next one."""
        token_embedding = self.weights["wte"][token]
        position_embedding = self.weights["wpe"][len(cache[0].keys)]
        x = [t + p for t, p in zip(token_embedding, position_embedding)]
        x = rmsnorm(x)
        for layer in range(self.config.n_layer):
            x = self.attention(x, layer, cache[layer])
            x = self.mlp(x, layer)
        return linear(x, self.weights["lm_head"])

    def attention(self, x: Vector, layer: int, cache: Cache) -> Vector:
        """Add to x what each head gathers from the tokens so far."""
        normed = rmsnorm(x)
        query, key, value = (
            linear(normed, self.weights[f"layer{layer}.attn_w{kind}"])
            for kind in "qkv"
        )
        cache.keys.append(key)
        cache.values.append(value)
        gathered: Vector = []
        for start in range(0, self.config.n_embd, self.config.head_dim):
            head = slice(start, start + self.config.head_dim)
            keys = [key[head] for key in cache.keys]
            values = [value[head] for value in cache.values]
            gathered += attend(query[head], keys, values)
        output = linear(gathered, self.weights[f"layer{layer}.attn_wo"])
        return [o + xi for o, xi in zip(output, x)]

    def mlp(self, x: Vector, layer: int) -> Vector:
        """Add to x what two linear layers make of it."""
        fc1 = self.weights[f"layer{layer}.mlp_fc1"]
        fc2 = self.weights[f"layer{layer}.mlp_fc2"]
        hidden = linear(rmsnorm(x), fc1)
        activated = [h.relu() for h in hidden]
        output = linear(activated, fc2)
        return [o + xi for o, xi in zip(output, x)]
