"""The same GPT as textbooks write it, for comparison: no line of it is shared.

One node for each addition and each multiplication, a recursive topological sort, and
Python's garbage collector as Python sets it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

N_EMBD, N_HEAD, BLOCK_SIZE = 16, 4, 16
HEAD_DIM = N_EMBD // N_HEAD


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


class Textbook:
    """A run of training, with the original's settings."""

    def __init__(self, documents: list[str], num_steps: int) -> None:
        rng = random.Random(42)
        self.documents = list(documents)
        rng.shuffle(self.documents)
        self.num_steps = num_steps
        self.letters = sorted(set("".join(documents)))
        self.bos = len(self.letters)
        vocab_size = self.bos + 1

        def matrix(rows: int, columns: int) -> list[Vector]:
            return [
                [Value(rng.gauss(0, 0.08)) for _ in range(columns)] for _ in range(rows)
            ]

        self.state = {
            "wte": matrix(vocab_size, N_EMBD),
            "wpe": matrix(BLOCK_SIZE, N_EMBD),
            "lm_head": matrix(vocab_size, N_EMBD),
            **{name: matrix(N_EMBD, N_EMBD) for name in ("wq", "wk", "wv", "wo")},
            "fc1": matrix(4 * N_EMBD, N_EMBD),
            "fc2": matrix(N_EMBD, 4 * N_EMBD),
        }
        self.params = [p for m in self.state.values() for row in m for p in row]
        self.m = [0.0] * len(self.params)
        self.v = [0.0] * len(self.params)
        self.step = 0

    def gpt(
        self, token: int, position: int, keys: list[Vector], values: list[Vector]
    ) -> Vector:
        w = self.state
        x = rmsnorm([t + p for t, p in zip(w["wte"][token], w["wpe"][position])])
        residual, x = x, rmsnorm(x)
        q = linear(x, w["wq"])
        keys.append(linear(x, w["wk"]))
        values.append(linear(x, w["wv"]))
        out: Vector = []
        for h in range(N_HEAD):
            lo, hi = h * HEAD_DIM, (h + 1) * HEAD_DIM
            scores = [
                total([qj * kj for qj, kj in zip(q[lo:hi], k[lo:hi])]) / HEAD_DIM**0.5
                for k in keys
            ]
            attention = softmax(scores)
            for j in range(lo, hi):
                out.append(total([a * v[j] for a, v in zip(attention, values)]))
        x = [a + b for a, b in zip(linear(out, w["wo"]), residual)]
        residual, x = x, rmsnorm(x)
        x = [value.relu() for value in linear(x, w["fc1"])]
        x = [a + b for a, b in zip(linear(x, w["fc2"]), residual)]
        return linear(x, w["lm_head"])

    def train(self) -> Iterator[float]:
        while self.step < self.num_steps:
            document = self.documents[self.step % len(self.documents)]
            letters = [self.letters.index(letter) for letter in document]
            tokens = [self.bos, *letters, self.bos]
            n = min(BLOCK_SIZE, len(tokens) - 1)
            keys: list[Vector] = []
            values: list[Vector] = []
            losses = []
            for position in range(n):
                logits = self.gpt(tokens[position], position, keys, values)
                losses.append(-softmax(logits)[tokens[position + 1]].log())
            loss = total(losses) * (1 / n)
            loss.backward()
            self.adam()
            yield loss.data

    def adam(self) -> None:
        rate = 0.01 * (1 - self.step / self.num_steps)
        for i, p in enumerate(self.params):
            self.m[i] = 0.85 * self.m[i] + 0.15 * p.grad
            self.v[i] = 0.99 * self.v[i] + 0.01 * p.grad**2
            m_hat = self.m[i] / (1 - 0.85 ** (self.step + 1))
            v_hat = self.v[i] / (1 - 0.99 ** (self.step + 1))
            p.data -= rate * m_hat / (v_hat**0.5 + 1e-8)
            p.grad = 0.0
        self.step += 1
