import random

import pytest

from microgpt.model import GPT, Config

from .helpers import data


def test_the_future_does_not_change_a_prediction() -> None:
    model = GPT(Config(5, block_size=4, n_embd=4), random.Random(0), std=0.8)
    first, second = model.new_cache(), model.new_cache()
    model.forward(0, first), model.forward(0, second)
    assert data(model.forward(1, first)) == data(model.forward(1, second))
    model.forward(2, first)
    assert data(model.forward(3, second)) != data(model.forward(3, first))


def test_the_model_of_the_original_has_4192_parameters_drawn_in_its_order() -> None:
    model = GPT(Config(), random.Random(42))
    rng = random.Random(42)
    parameters = model.parameters()
    assert len(parameters) == 4192
    assert data(parameters) == [rng.gauss(0, 0.08) for _ in range(4192)]
    assert [(len(m), len(m[0])) for m in model.weights.values()] == [
        *[(27, 16), (16, 16), (27, 16)],
        *[(16, 16)] * 4,
        *[(64, 16), (16, 64)],
    ]
    assert list(model.weights) == [
        *["wte", "wpe", "lm_head"],
        *[f"layer0.attn_{name}" for name in ("wq", "wk", "wv", "wo")],
        *["layer0.mlp_fc1", "layer0.mlp_fc2"],
    ]


def test_a_full_context_is_refused() -> None:
    model = GPT(Config(3, n_embd=4, block_size=2), random.Random(0))
    cache = model.new_cache()
    model.forward(0, cache)
    model.forward(0, cache)
    with pytest.raises(IndexError):
        model.forward(0, cache)


def test_heads_that_do_not_divide_the_width_are_refused() -> None:
    told = "^n_embd must be a multiple of n_head, and 9 is not one of 4$"
    with pytest.raises(ValueError, match=told):
        Config(n_embd=9, n_head=4)


@pytest.mark.parametrize(
    "name", ["vocab_size", "n_layer", "n_embd", "n_head", "block_size"]
)
def test_sizes_below_1_are_refused(name: str) -> None:
    for size in (0, -4):
        with pytest.raises(
            ValueError, match=f"^{name} must be at least 1, not {size}$"
        ):
            Config(**{name: size})
