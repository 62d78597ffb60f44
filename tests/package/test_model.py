import math
import random

import pytest

from microgpt.attention import attend
from microgpt.autograd import Value
from microgpt.model import GPT, Config
from tests.models import normalize

from .helpers import data


def apply(matrix, x):
    return [sum(w.data * v for w, v in zip(row, x, strict=True)) for row in matrix]


def masked_attention(model, layer, rows):
    """Attention over all positions at once, with a mask over the future ones."""
    head_dim = model.config.n_embd // model.config.n_head
    q, k, v = (
        [apply(model.weights[f"layer{layer}.attn_w{name}"], row) for row in rows]
        for name in "qkv"
    )
    out = [[0.0] * model.config.n_embd for _ in rows]
    for lo in range(0, model.config.n_embd, head_dim):
        dims = range(lo, lo + head_dim)
        for i in range(len(rows)):
            scores = [
                sum(q[i][d] * k[j][d] for d in dims) / math.sqrt(head_dim)
                if j <= i
                else -math.inf
                for j in range(len(rows))
            ]
            exps = [math.exp(score) for score in scores]
            for d in dims:
                weighted = (exps[j] * v[j][d] for j in range(len(rows)))
                out[i][d] = sum(weighted) / sum(exps)
    return [apply(model.weights[f"layer{layer}.attn_wo"], row) for row in out]


def logits_of_all_positions(model, tokens):
    """The whole model in plain numbers, layer by layer instead of token by token."""
    w = model.weights
    xs = [
        normalize([a + b for a, b in zip(data(w["wte"][t]), data(w["wpe"][i]))])
        for i, t in enumerate(tokens)
    ]
    for layer in range(model.config.n_layer):
        attended = masked_attention(model, layer, [normalize(x) for x in xs])
        xs = [[a + b for a, b in zip(x, y)] for x, y in zip(xs, attended)]
        for i, x in enumerate(xs):
            hidden = apply(w[f"layer{layer}.mlp_fc1"], normalize(x))
            output = apply(w[f"layer{layer}.mlp_fc2"], [max(h, 0) for h in hidden])
            xs[i] = [a + b for a, b in zip(x, output)]
    return [apply(w["lm_head"], x) for x in xs]


@pytest.mark.parametrize(
    ("n_layer", "n_head", "n_embd"), [(1, 4, 16), (1, 1, 6), (3, 2, 4), (2, 3, 9)]
)
def test_reading_token_by_token_equals_full_attention_with_a_mask(
    n_layer, n_head, n_embd
):
    config = Config(5, n_layer, n_embd, n_head, block_size=6)
    model = GPT(config, random.Random(1), std=0.8)
    tokens, cache = [4, 0, 2, 2, 1, 3], model.new_cache()
    logits = [data(model.forward(token, cache)) for token in tokens]
    for ours, expected in zip(
        logits, logits_of_all_positions(model, tokens), strict=True
    ):
        assert ours == pytest.approx(expected, rel=1e-10, abs=1e-12)


def test_the_future_does_not_change_a_prediction():
    model = GPT(Config(5, block_size=4, n_embd=4), random.Random(0), std=0.8)
    first, second = model.new_cache(), model.new_cache()
    model.forward(0, first), model.forward(0, second)
    assert data(model.forward(1, first)) == data(model.forward(1, second))
    model.forward(2, first)
    assert data(model.forward(3, second)) != data(model.forward(3, first))


def test_attention_averages_the_values_by_the_softmax_of_scaled_scores():
    query, keys, values = [2.0, 0.0], [[1.0, 5.0], [-1.0, 7.0]], [[1.0], [3.0]]
    exps = [math.exp(2 / math.sqrt(2)), math.exp(-2 / math.sqrt(2))]
    expected = (exps[0] * 1 + exps[1] * 3) / sum(exps)
    vectors = [[Value(x) for x in row] for row in (query, *keys, *values)]
    result = attend(vectors[0], vectors[1:3], vectors[3:])
    assert data(result) == pytest.approx([expected], rel=1e-12)


def test_the_model_of_the_original_has_4192_parameters_drawn_in_its_order():
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


def test_each_layer_has_12_times_the_square_of_the_width():
    for n_layer in (1, 2, 5):
        config = Config(7, n_layer, n_embd=8, n_head=2, block_size=3)
        count = len(GPT(config, random.Random(0)).parameters())
        assert count == (7 + 3 + 7) * 8 + n_layer * 12 * 8**2


def test_every_parameter_gets_a_gradient_through_many_layers():
    model = GPT(Config(3, 8, 4, 2, 2), random.Random(0), std=0.5)
    cache = model.new_cache()
    model.forward(0, cache)
    Value.sum(logit * logit for logit in model.forward(1, cache)).backward()
    unused = {id(p) for p in model.weights["wte"][2]}
    for parameter in model.parameters():
        if id(parameter) in unused:
            assert parameter.grad == 0.0
    blind = [
        n for n, m in model.weights.items() if not any(p.grad for r in m for p in r)
    ]
    assert blind == []


def test_a_full_context_is_refused():
    model = GPT(Config(3, n_embd=4, block_size=2), random.Random(0))
    cache = model.new_cache()
    model.forward(0, cache)
    model.forward(0, cache)
    with pytest.raises(IndexError):
        model.forward(0, cache)


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ValueError, match="n_embd must be a multiple of n_head"):
        Config(n_embd=9, n_head=4)


def test_a_size_of_1_is_possible():
    assert Config(1, 1, 1, 1, 1).head_dim == 1
    assert Config(n_embd=12, n_head=3).head_dim == 4
