"""A GPT of `Value`s with variant parts, as a reference for engines in C."""

import random
from collections.abc import Callable
from functools import partial

from microgpt import Config, Value, attend, linear, rmsnorm
from microgpt.engines.variant import CHOICES_BY_VARIANT_FIELD, VariantChoices
from microgpt.nn import Matrix, Vector, gaussian_matrix, softmax

CONFIG = Config(vocab_size=5, n_layer=2, n_embd=6, n_head=3, block_size=4)
DOCUMENTS = [[4, 0, 3, 1, 4], [1, 1, 2]]
# Numbers to test in the fields that take any number
TESTED_NUMBERS_BY_FIELD = {"window": (1, 2), "lookahead": (1, 2), "mlp_width": (3, 12)}


def add_vectors(x: Vector, y: Vector) -> Vector:
    return [a + b for a, b in zip(x, y, strict=True)]


class VariantGPT:
    """A GPT of `Value`s, as the package's model, with the choices of variants.c."""

    def __init__(self, parts: VariantChoices) -> None:
        fields = CHOICES_BY_VARIANT_FIELD.items()
        defaults: VariantChoices = {k: v[0] if v else 0 for k, v in fields}
        self.parts = {**defaults, **parts}
        rng, width = random.Random(1), CONFIG.n_embd
        hidden = int(self.parts["mlp_width"]) or 4 * width
        shapes = CONFIG.shapes()
        if self.parts["head_input"] == "hidden":
            shapes["lm_head"] = CONFIG.vocab_size, hidden
        for i in range(CONFIG.n_layer):
            shapes[f"layer{i}.mlp_fc1"] = hidden, width
            shapes[f"layer{i}.mlp_fc2"] = width, hidden
        self.weights = {k: gaussian_matrix(*v, 0.5, rng) for k, v in shapes.items()}
        self.biases = {
            name: [Value(rng.gauss(0, 0.5)) for _ in range(rows)]
            for name, (rows, _) in shapes.items()
            if name not in ("wte", "wpe") and self.parts["biases"] == "yes"
        }

    def parameters(self) -> Vector:
        weights = [p for matrix in self.weights.values() for row in matrix for p in row]
        return weights + [p for bias in self.biases.values() for p in bias]

    def linear(self, name: str, xs: Matrix) -> Matrix:
        ys = [linear(x, self.weights[name]) for x in xs]
        return [add_vectors(y, self.biases[name]) for y in ys] if self.biases else ys

    def norm(self, xs: Matrix) -> Matrix:
        if self.parts["norm"] == "none":
            return xs
        if self.parts["norm"] == "layer":
            means = [Value.sum(x) / len(x) for x in xs]
            xs = [[xi - mean for xi in x] for x, mean in zip(xs, means)]
        return [rmsnorm(x) for x in xs]

    def block(self, xs: Matrix, function: Callable[[Matrix], Matrix]) -> Matrix:
        pre = self.parts["norm_position"] == "pre"
        ys = function(self.norm(xs) if pre else xs)
        if self.parts["residual"] == "yes":
            ys = [add_vectors(x, y) for x, y in zip(xs, ys)]
        return ys if pre else self.norm(ys)

    def attention(self, layer: str, xs: Matrix) -> Matrix:
        size = CONFIG.head_dim
        scales = {"root": 1.0, "size": size**-0.5, "none": size**0.5}
        scale = scales[str(self.parts["score_scale"])]
        if self.parts["attention"] == "uniform":
            scale = 0.0
        queries, keys, values = (self.linear(f"{layer}.attn_w{k}", xs) for k in "qkv")
        mixed = []
        for p, query in enumerate(queries):
            end = min(p + 1 + int(self.parts["lookahead"]), len(xs))
            begin = max(0, end - (int(self.parts["window"]) or end))
            heads: Vector = []
            for start in range(0, CONFIG.n_embd, size):
                head = slice(start, start + size)
                seen = ([x[head] for x in rows[begin:end]] for rows in (keys, values))
                heads += attend([scale * q for q in query[head]], *seen)
            mixed.append(heads)
        return self.linear(f"{layer}.attn_wo", mixed)

    def activate(self, x: Value) -> Value:
        kind = self.parts["activation"]
        if kind == "tanh":
            return 1 - 2 / ((2 * x).exp() + 1)
        return x if kind == "none" else x.relu() ** (2 if kind == "squared relu" else 1)

    def hidden(self, layer: str, xs: Matrix) -> Matrix:
        rows = self.linear(f"{layer}.mlp_fc1", xs)
        return [[self.activate(x) for x in row] for row in rows]

    def mlp(self, layer: str, xs: Matrix) -> Matrix:
        return self.linear(f"{layer}.mlp_fc2", self.hidden(layer, xs))

    def logits(self, tokens: list[int]) -> Matrix:
        xs = [self.weights["wte"][token] for token in tokens]
        if self.parts["positions"] == "learned":
            xs = [add_vectors(x, self.weights["wpe"][i]) for i, x in enumerate(xs)]
        if self.parts["embedding_norm"] == "yes":
            xs = self.norm(xs)
        for i in range(CONFIG.n_layer):
            layer, last = f"layer{i}", i == CONFIG.n_layer - 1
            if self.parts["attention"] != "none":
                xs = self.block(xs, partial(self.attention, layer))
            if self.parts["mlp"] == "no":
                continue
            if last and self.parts["head_input"] == "hidden":
                pre = self.parts["norm_position"] == "pre"
                xs = self.hidden(layer, self.norm(xs) if pre else xs)
            else:
                xs = self.block(xs, partial(self.mlp, layer))
        if self.parts["final_norm"] == "yes":
            xs = self.norm(xs)
        return self.linear("lm_head", xs)

    def mean_document_loss(self, kind: str) -> Value:
        """Return the mean over the documents of their mean losses."""
        means = []
        for document in DOCUMENTS:
            rows = map(softmax, self.logits(document[:-1]))
            pairs = zip(rows, document[1:])
            losses = [compute_token_loss(kind, p, target) for p, target in pairs]
            means.append(Value.sum(losses) / len(losses))
        return Value.sum(means) / len(means)


def compute_token_loss(kind: str, p: Vector, target: int) -> Value:
    if kind == "squared error":
        return Value.sum((pi - (i == target)) ** 2 for i, pi in enumerate(p))
    if kind == "softmax twice":
        p = softmax(p)
    loss = -p[target].log()
    if kind == "label smoothing":
        return 0.9 * loss - 0.1 * Value.sum(pi.log() for pi in p) / len(p)
    return loss
