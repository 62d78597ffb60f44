"""A small model without some of its parts, or with a change, once more over `Value`s."""

import random
from collections.abc import Callable
from functools import partial

import pytest

from microgpt import GPT, Config, Value, attend, document_loss, linear, rmsnorm
from microgpt.attention import Cache
from microgpt.engines import c
from microgpt.engines.protocol import State
from microgpt.nn import Matrix, Vector, gaussian_matrix

CONFIG = Config(vocab_size=5, n_layer=2, n_embd=6, n_head=3, block_size=4)
DOCUMENTS = [[4, 0, 3, 1, 4], [1, 1, 2]]


class ChangedGPT(GPT):
    """What each part of gpt.c does, and each change of it that a variant of `bench.alternatives` has."""

    def __init__(self, without: tuple[str, ...] = (), change: str = "") -> None:
        rng = random.Random(1)
        super().__init__(CONFIG, rng, std=0.5)
        self.without, self.change, width = without, change, CONFIG.n_embd
        if change.startswith("mlp"):
            inside = int(change[4]) * width
            for layer in range(CONFIG.n_layer):
                name = f"layer{layer}.mlp_fc"
                self.weights[f"{name}1"] = gaussian_matrix(inside, width, 0.5, rng)
                self.weights[f"{name}2"] = gaussian_matrix(width, inside, 0.5, rng)
        if "leave" in without and "mlp" not in without:
            head = gaussian_matrix(CONFIG.vocab_size, 4 * width, 0.5, rng)
            self.weights["lm_head"] = head

    def forward(self, token: int, cache: list[Cache]) -> Vector:
        x = self.weights["wte"][token]
        if self.has("positions"):
            place = self.weights["wpe"][len(cache[0].keys)]
            x = [t + p for t, p in zip(x, place)]
        if self.change != "without first norm":
            x = self.norm(x)
        for layer, kept in enumerate(cache):
            m = {
                name.partition(".")[2]: matrix
                for name, matrix in self.weights.items()
                if name.startswith(f"layer{layer}.")
            }
            kept.keys.append([])  # how many tokens were read
            if self.has("attention"):
                x = self.added(partial(self.attended, m, kept), x)
            if self.has("mlp"):
                if not self.has("leave") and layer == len(cache) - 1:
                    hidden = [h.relu() for h in linear(self.norm(x), m["mlp_fc1"])]
                    return linear(hidden, self.weights["lm_head"])
                x = self.added(partial(self.computed, m), x)
        return linear(x, self.weights["lm_head"])

    def has(self, part: str) -> bool:
        return part not in self.without

    def norm(self, x: Vector) -> Vector:
        return rmsnorm(x) if self.has("norm") else x

    def added(self, block: Callable[[Vector], Vector], x: Vector) -> Vector:
        before = self.change != "post-norm"
        found = block(self.norm(x) if before else x)
        if self.has("residual"):
            found = [o + xi for o, xi in zip(found, x)]
        return found if before else self.norm(found)

    def attended(self, m: dict[str, Matrix], kept: Cache, x: Vector) -> Vector:
        query, kept.keys[-1], value = (linear(x, m[f"attn_w{each}"]) for each in "qkv")
        kept.values.append(value)
        size, mixed = self.config.head_dim, list[Value]()
        scale = self.has("queries") * (1.0 if self.has("root") else size**0.5)
        for start in range(0, len(query), size):
            head = slice(start, start + size)
            keys, values = (
                [row[head] for row in rows] for rows in (kept.keys, kept.values)
            )
            mixed += attend([scale * q for q in query[head]], keys, values)
        return linear(mixed, m["attn_wo"])

    def computed(self, m: dict[str, Matrix], x: Vector) -> Vector:
        return linear([h.relu() for h in linear(x, m["mlp_fc1"])], m["mlp_fc2"])


def assert_gradient(engine: c.Engine, model: ChangedGPT) -> None:
    """An engine in C has the loss of a graph, and the slopes that `backward` finds."""
    losses = [document_loss(model, document) for document in DOCUMENTS]
    loss = Value.sum(losses) * (1 / len(losses))
    loss.backward()
    parameters = model.parameters()
    weights, zeros = [p.data for p in parameters], [0.0] * len(parameters)
    engine.restore(State(weights, zeros, zeros))
    assert engine.gradient(DOCUMENTS) == pytest.approx(loss.data, rel=1e-12)
    expected = [p.grad for p in parameters]
    rounding = 1e-12 * max(map(abs, expected))
    assert engine.part(1) == pytest.approx(expected, rel=1e-12, abs=rounding)
