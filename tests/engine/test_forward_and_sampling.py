"""The engine of pages, run under Node, agrees with the package and the programs."""

import json
import random
from itertools import pairwise
from typing import get_args

import pytest
from pytest import approx

from microgpt import load_model, sample
from microgpt.sampling import zero_unlikely_probabilities
from snippets import step1
from snippets.ready.attention import attention_weights
from tests.engine.web_engine import evaluate_js, read_tokens
from tests.models import HEADS_BY_RECORD, encode_name, load_record, load_recorded_model
from widgets._names import names_tokenizer
from widgets._weights import TrainedOrNot, network_weights

NAME = "lena"


# The whole GPT


@pytest.mark.parametrize("record", [*HEADS_BY_RECORD, "package"])
def test_browser_gpt_logits_keys_and_values_equal_the_package(record: str) -> None:
    model = load_model()[0] if record == "package" else load_recorded_model(record)
    tokens, cache = encode_name(NAME)[:-1], model.new_cache()
    activations = read_tokens(model, HEADS_BY_RECORD.get(record, 4), tokens)
    for token, logits in zip(tokens, activations["logits"], strict=True):
        assert logits == approx([x.data for x in model.forward(token, cache)], abs=1e-9)
    for layer, layer_cache in zip(activations["layers"], cache, strict=True):
        for of, rows in (("key", layer_cache.keys), ("value", layer_cache.values)):
            for vector, row in zip(layer[of], rows, strict=True):
                assert vector == approx([x.data for x in row], abs=1e-9)


@pytest.mark.parametrize("record", HEADS_BY_RECORD)
def test_browser_attention_and_residuals_equal_the_programs(record: str) -> None:
    weights, heads = load_record(record), HEADS_BY_RECORD[record]
    model, tokens = load_recorded_model(record), encode_name(NAME)[:-1]
    [layer] = read_tokens(model, heads, tokens)["layers"]
    positions = zip(*layer["attentionWeights"], strict=True)
    rows = [row for heads_of_position in positions for row in heads_of_position]
    expected_rows = attention_weights(weights, NAME, heads)
    for actual, expected in zip(rows, expected_rows, strict=True):
        assert actual == approx(expected, abs=1e-9)
    for t, token in enumerate(tokens):
        row = {of: layer[of][t] for of in layer if of != "attentionWeights"}
        pair = zip(weights["wte"][token], weights["wpe"][t], strict=True)
        assert row["input"] == approx(rmsnorm([a + b for a, b in pair]))
        assert row["attentionInput"] == approx(rmsnorm(row["input"]))
        attended = step1.linear(row["headOutputs"], weights["layer0.attn_wo"])
        assert row["afterAttention"] == approx(add_vectors(row["input"], attended))
        assert row["mlpInput"] == approx(rmsnorm(row["afterAttention"]))
        hidden = step1.linear(row["mlpInput"], weights["layer0.mlp_fc1"])
        assert row["mlpActivations"] == approx([max(0, h) for h in hidden], abs=1e-9)
        fed = step1.linear(row["mlpActivations"], weights["layer0.mlp_fc2"])
        assert row["output"] == approx(add_vectors(row["afterAttention"], fed))


def rmsnorm(x: list[float]) -> list[float]:
    scale = (sum(xi * xi for xi in x) / len(x) + 1e-5) ** -0.5
    return [xi * scale for xi in x]


def add_vectors(a: list[float], b: list[float]) -> list[float]:
    return [x + y for x, y in zip(a, b, strict=True)]


# Step 0's table, and Step 1's network


@pytest.mark.parametrize("state", get_args(TrainedOrNot))
def test_browser_network_forward_and_backward_equal_step_1(state: TrainedOrNot) -> None:
    weights = network_weights(state)
    argument = f"engine.tracePairs({json.dumps(weights)}, {encode_name('emma')})"
    tokens = pairwise(encode_name("emma"))
    for pair, (token, target) in zip(evaluate_js(argument), tokens, strict=True):
        logits = step1.forward(token, weights)
        assert pair["vectors"]["logits"] == approx(logits)
        p = step1.softmax(logits)
        assert pair["vectors"]["probabilities"] == approx(p)
        assert pair["loss"] == approx(step1.mean_loss([token, target], weights))
        slopes = step1.analytic_gradient([token, target], weights)
        of = pair["vectors"]
        assert of["d_x"] == approx(slopes["wte"][token])
        for name, d, x in (("fc1", "d_hidden", "x"), ("fc2", "d_logits", "activated")):
            outer = [[di * xi for xi in of[x]] for di in of[d]]
            assert outer == [approx(row, abs=1e-12) for row in slopes[name]]


# The Sampler


@pytest.mark.parametrize(
    "temperature, top_k, top_p", [(1, 27, 1), (0.5, 27, 1), (2, 5, 1), (1, 9, 0.6)]
)
def test_browser_temperature_top_k_and_top_p_equal_python(
    temperature: float, top_k: int, top_p: float
) -> None:
    logits = step1.forward(0, network_weights("trained"))
    argument = json.dumps({"temperature": temperature, "topK": top_k, "topP": top_p})
    actual = evaluate_js(f"engine.samplingProbabilities({logits}, {argument})")
    probabilities = step1.softmax([logit / temperature for logit in logits])
    kept = zero_unlikely_probabilities(probabilities, top_k, top_p)
    expected = [probability / sum(kept) for probability in kept]
    assert actual == approx(expected)
    coldest = argument[:-1] + ", temperature: 0}"
    greedy = evaluate_js(f"engine.samplingProbabilities({logits}, {coldest})")
    likeliest = probabilities.index(max(probabilities))
    assert greedy.index(1) == likeliest and sum(greedy) == 1


@pytest.mark.parametrize("record", HEADS_BY_RECORD)
def test_browser_samples_the_same_names_as_the_package_for_a_seed(record: str) -> None:
    rng, tokenizer = random.Random(7), names_tokenizer()
    model = load_recorded_model(record)
    names = [sample(model, tokenizer, rng, 0.5, "m") for _ in range(10)]
    weights = json.dumps(load_record(record))
    documents = evaluate_js(
        "((gpt, random) => Array.from({ length: 10 }, () => engine.sampleTokens("
        f"{encode_name('m')[:-1]}, (tokens) => engine.samplingProbabilities("
        "gpt.logits(tokens), { temperature: 0.5, topK: 27, topP: 1 }), random).slice(1)))("
        f"engine.gptFromMatrices({HEADS_BY_RECORD[record]}, {weights}),"
        " new engine.Random(7))"
    )
    assert [tokenizer.decode(tokens) for tokens in documents] == names
