"""Variants compute what the graph computes, and what is recorded of them fits."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.bench.small import CONFIG, DOCUMENTS

# isort: split

from bench.alternatives import CHANGES, VARIANTS, Engine, Variant
from bench.changes import changed
from bench.ends import ends
from bench.rungs import Split, Trained
from microgpt import GPT, Config, Value, document_loss, load_names, rmsnorm
from microgpt.attention import Cache, attend
from microgpt.engines import c
from microgpt.engines.protocol import State
from microgpt.nn import Vector, gaussian_matrix, linear
from tests.models import recorded

STUDIES: dict[str, Any] = recorded("variants")


class Otherwise(GPT):
    """The model as each change has it, once more, over `Value`s."""

    change = ""

    def __init__(self, change: str, rng: random.Random) -> None:
        super().__init__(CONFIG, rng, std=0.5)
        self.change, width = change, CONFIG.n_embd
        if change.startswith("mlp"):
            inside = int(change[4]) * width
            for layer in range(CONFIG.n_layer):
                name = f"layer{layer}.mlp_fc"
                self.weights[f"{name}1"] = gaussian_matrix(inside, width, 0.5, rng)
                self.weights[f"{name}2"] = gaussian_matrix(width, inside, 0.5, rng)

    def forward(self, token: int, cache: list[Cache]) -> Vector:
        place = self.weights["wpe"][len(cache[0].keys)]
        x = [t + p for t, p in zip(self.weights["wte"][token], place)]
        if self.change != "without first norm":
            x = rmsnorm(x)
        for layer, kept in enumerate(cache):
            x = self.added(partial(self.attended, f"layer{layer}.attn_w", kept), x)
            x = self.added(partial(self.computed, f"layer{layer}.mlp_fc"), x)
        return linear(x, self.weights["lm_head"])

    def added(self, block: Callable[[Vector], Vector], x: Vector) -> Vector:
        if self.change == "post-norm":
            return rmsnorm([o + xi for o, xi in zip(block(x), x)])
        return [o + xi for o, xi in zip(block(rmsnorm(x)), x)]

    def attended(self, name: str, kept: Cache, x: Vector) -> Vector:
        query, key, value = (linear(x, self.weights[f"{name}{each}"]) for each in "qkv")
        kept.keys.append(key)
        kept.values.append(value)
        mixed: Vector = []
        for start in range(0, CONFIG.n_embd, CONFIG.head_dim):
            head = slice(start, start + CONFIG.head_dim)
            keys, values = ([row[head] for row in m] for m in (kept.keys, kept.values))
            mixed += attend(query[head], keys, values)
        return linear(mixed, self.weights[f"{name}o"])

    def computed(self, name: str, x: Vector) -> Vector:
        inside = [h.relu() for h in linear(x, self.weights[f"{name}1"])]
        return linear(inside, self.weights[f"{name}2"])


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_loss_and_gradient_of_a_change_are_those_of_the_graph(
    change: str, tied: bool
) -> None:
    model = Otherwise(change, random.Random(1))
    if tied:
        model.weights["lm_head"] = model.weights["wte"]
    losses = [document_loss(model, document) for document in DOCUMENTS]
    loss: Value = (losses[0] + losses[1]) * 0.5
    loss.backward()
    engine = Engine(
        CONFIG,
        random.Random(1),
        change=CHANGES[change],
        tied=tied,
        precision="float64",
    )
    weights = [p.data for p in model.parameters()]
    engine.restore(State(weights, [0.0] * len(weights), [0.0] * len(weights)))
    assert engine.gradient(DOCUMENTS) == pytest.approx(loss.data, rel=1e-12)
    expected = [p.grad for p in model.parameters()]
    largest = max(map(abs, expected))
    assert engine.part(1) == pytest.approx(expected, rel=1e-12, abs=1e-12 * largest)


def test_a_change_of_what_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="does not say 'GELU'"):
        changed({"GELU": "ReLU"})


def test_variants_begin_with_the_same_weights() -> None:
    usual = c.Engine(Config(), random.Random(1), precision="float32").part(0)
    for times in (1, 2, 8):
        engine = VARIANTS[f"mlp {times}x"].engine(27, random.Random(1))
        assert engine.count - len(usual) == (times - 4) * 2 * 16 * 16
        shared = min(engine.count, len(usual))
        assert engine.part(0)[:shared] == usual[:shared]


def test_a_tied_matrix_remains_one() -> None:
    tied = VARIANTS["tied"]
    engine = tied.engine(5, random.Random(1))
    first, last = (engine.arrays[0, end] for end in engine.ends)
    before = first.copy()
    for _ in range(5):
        tied.learn(engine, DOCUMENTS, 0.1, 30_000)
    assert (first == last).all() and not (first == before).any()


@pytest.mark.parametrize("name", ["SGD", "momentum", "AdamW", "AdamW, decay 0.1"])
def test_an_optimizer_moves_the_weights_as_that_of_pytorch(name: str) -> None:
    torch = pytest.importorskip("torch")
    variant, rate = VARIANTS[name], 0.1
    engine = variant.engine(5, random.Random(1))
    weights = torch.tensor(engine.part(0), requires_grad=True)
    optimizer = (
        torch.optim.SGD([weights], rate, momentum=variant.momentum)
        if variant.sgd
        else torch.optim.AdamW(
            [weights], rate, betas=(0.85, 0.99), weight_decay=variant.decay
        )
    )
    for _ in range(5):
        engine.gradient(DOCUMENTS)
        weights.grad = torch.tensor(engine.part(1))
        optimizer.step()
        variant.learn(engine, DOCUMENTS, rate, 30_000)
        assert engine.part(0) == pytest.approx(weights.tolist(), abs=1e-4)


def test_no_rate_that_was_chosen_is_the_first_or_last_of_those_tried() -> None:
    for study in STUDIES.values():
        for name, found in study["rungs"].items():
            assert list(found) == ["30000", "100000"]
            for end in found.values():
                assert "sd" in end
                assert end["choice"] in VARIANTS[name].choices[0][1:-1]


def test_the_finished_model_is_that_of_the_ladder() -> None:
    for names, study in STUDIES.items():
        for seen, end in study["rungs"]["four heads"].items():
            rung = ends()[names]["rungs"]["four heads"][seen]
            if rung["choice"] == end["choice"]:
                assert end["losses"] == pytest.approx(rung["losses"], abs=1e-2)


@pytest.mark.parametrize("name", ["post-norm", "momentum"])
def test_a_training_is_found_again(name: str) -> None:
    """To rounding, which grows: other machines add in another order."""
    variant: Variant = VARIANTS[name]
    end = STUDIES["guide"]["rungs"][name]["30000"]
    split = Split(load_names(), 1)
    loss = Trained(variant, split, 30_000, end["choice"]).loss(split.held_out)
    assert loss == pytest.approx(end["losses"][0], abs=1e-2)
