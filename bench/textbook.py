"""The same GPT as textbooks write it, for comparison: its graph shares no line with ours.

One node for each addition and each multiplication, a recursive topological sort, and
Python's garbage collector as Python sets it.
"""

from __future__ import annotations

import gc
import math
import random
from collections.abc import Sequence
from typing import Any, cast

from microgpt import Config
from microgpt.engines import dot


class Value:
    __slots__ = ("data", "grad", "inputs", "slopes")

    def __init__(
        self,
        data: float,
        inputs: tuple[Value, ...] = (),
        slopes: tuple[float, ...] = (),
    ) -> None:
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.slopes = slopes

    def __add__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, exponent: float) -> Value:
        slope = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (slope,))

    def log(self) -> Value:
        return Value(math.log(self.data), (self,), (1 / self.data,))

    def exp(self) -> Value:
        return Value(math.exp(self.data), (self,), (math.exp(self.data),))

    def relu(self) -> Value:
        return Value(max(0, self.data), (self,), (float(self.data > 0),))

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other: Value | float) -> Value:
        return self + (-other)

    def __truediv__(self, other: Value | float) -> Value:
        return self * other**-1

    def backward(self) -> None:
        order: list[Value] = []
        visited: set[Value] = set()

        def visit(node: Value) -> None:
            if node not in visited:
                visited.add(node)
                for value in node.inputs:
                    visit(value)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for value, slope in zip(node.inputs, node.slopes):
                value.grad += slope * node.grad


Vector = list[Value]


def total(values: Vector) -> Value:
    result = values[0]
    for value in values[1:]:
        result = result + value
    return result


def linear(x: Vector, w: list[Vector]) -> Vector:
    return [total([wi * xi for wi, xi in zip(row, x)]) for row in w]


def softmax(logits: Vector) -> Vector:
    largest = max(value.data for value in logits)
    exps = [(value - largest).exp() for value in logits]
    denominator = total(exps)
    return [e / denominator for e in exps]


def rmsnorm(x: Vector) -> Vector:
    scale = (total([xi * xi for xi in x]) / len(x) + 1e-5) ** -0.5
    return [xi * scale for xi in x]


class Engine(dot.Engine):
    """A model of textbook nodes, moved by the Adam of the lesson."""

    def __init__(self, config: Config, rng: random.Random) -> None:
        super().__init__(config, rng)
        self.weights = {
            name: [[Value(p.data) for p in row] for row in matrix]
            for name, matrix in self.model.weights.items()
        }
        nodes = [p for matrix in self.weights.values() for row in matrix for p in row]
        self.optimizer.parameters = cast(Any, nodes)

    def gradient(self, tokens: Sequence[int]) -> float:
        """Add the gradient of a document's loss to every `grad`; return the loss."""
        gc.enable()
        n = min(self.model.config.block_size, len(tokens) - 1)
        caches: list[tuple[list[Vector], list[Vector]]] = [
            ([], []) for _ in range(self.model.config.n_layer)
        ]
        losses = []
        for position in range(n):
            logits = self.logits(tokens[position], position, caches)
            losses.append(-softmax(logits)[tokens[position + 1]].log())
        # As in a loop that assigns `loss` anew, a graph lives until the next one is made.
        self.loss = total(losses) * (1 / n)
        self.loss.backward()
        return self.loss.data

    def logits(
        self,
        token: int,
        position: int,
        caches: Sequence[tuple[list[Vector], list[Vector]]],
    ) -> Vector:
        w, size = self.weights, self.model.config.head_dim
        x = rmsnorm([t + p for t, p in zip(w["wte"][token], w["wpe"][position])])
        for layer, (keys, values) in enumerate(caches):
            name = f"layer{layer}"
            residual, x = x, rmsnorm(x)
            q = linear(x, w[f"{name}.attn_wq"])
            keys.append(linear(x, w[f"{name}.attn_wk"]))
            values.append(linear(x, w[f"{name}.attn_wv"]))
            out: Vector = []
            for lo in range(0, len(q), size):
                hi = lo + size
                scores = [
                    total([qj * kj for qj, kj in zip(q[lo:hi], k[lo:hi])]) / size**0.5
                    for k in keys
                ]
                attention = softmax(scores)
                for j in range(lo, hi):
                    out.append(total([a * v[j] for a, v in zip(attention, values)]))
            x = [a + b for a, b in zip(linear(out, w[f"{name}.attn_wo"]), residual)]
            residual, x = x, rmsnorm(x)
            x = [value.relu() for value in linear(x, w[f"{name}.mlp_fc1"])]
            x = [a + b for a, b in zip(linear(x, w[f"{name}.mlp_fc2"]), residual)]
        return linear(x, w["lm_head"])
