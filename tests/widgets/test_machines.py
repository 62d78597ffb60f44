"""The picture of many machines adds up as the page does."""

from __future__ import annotations

import random

import pytest

from microgpt import GPT, Config, document_loss
from microgpt.autograd import topological_order
from widgets.machines.model import LINKS, MACHINES, MODELS, TOKENS, machines, operations

GIVEN = {"model": "GPT-2", "tokens": 2**19, "machines": 8, "gigabits": 100}


@pytest.fixture(scope="module")
def result():
    return machines(**GIVEN)


def test_every_choice_is_there_and_the_given_one_comes_first(result):
    model, tokens, count, link = result["start"]
    assert result["models"][model]["name"] == "GPT-2"
    assert result["tokens"][tokens] == 524_288
    assert (result["machines"][count], result["links"][link]) == (8, 100)
    for model in result["models"]:
        assert model["parameters"] == MODELS[model["name"]].num_parameters
        assert len(model["compute"]) == len(TOKENS)
        assert all(len(row) == len(MACHINES) for row in model["compute"])
        for way in (model["copied"], model["cut"]):
            assert [len(row) for row in way["send"]] == [len(MACHINES)] * len(LINKS)
            assert len(way["memory"]) == len(MACHINES)


def test_gpt_2_on_eight_machines_is_as_on_the_page(result):
    gpt2 = result["models"][0]
    assert gpt2["compute"][0][3] == 0.132
    assert [gpt2["copied"]["send"][link][3] for link in (0, 2, 3)] == [
        *(0.912, 0.0912, 0.0228)
    ]
    assert (gpt2["copied"]["memory"][3], gpt2["cut"]["memory"][3]) == (2.61, 0.326)


def test_more_machines_compute_less_each_and_send_never_more_than_two_copies(result):
    for model in result["models"]:
        copy = 8 * 4 * model["parameters"]
        for row in model["compute"]:
            for one, n in zip(row, MACHINES, strict=True):
                assert one == pytest.approx(row[0] / n, rel=0.02)
        for link, seconds, cut in zip(
            LINKS, model["copied"]["send"], model["cut"]["send"], strict=True
        ):
            assert seconds[0] == cut[0] == 0
            assert seconds == sorted(seconds)
            assert seconds[-1] <= 2 * copy / (link * 1e9)
            for a, b in zip(seconds[1:], cut[1:], strict=True):
                assert b / a == pytest.approx(1.5, rel=0.02)


def test_only_a_model_that_is_cut_needs_less_of_each_card(result):
    for model in result["models"]:
        whole = 16 * model["parameters"] / 1e9
        copied, cut = model["copied"]["memory"], model["cut"]["memory"]
        assert copied == pytest.approx([whole] * len(MACHINES), rel=0.005)
        assert cut == pytest.approx([whole / n for n in MACHINES], rel=0.005)


def test_operations_are_those_that_the_graph_of_a_model_does():
    config = Config(vocab_size=5, n_layer=2, n_embd=8, n_head=2, block_size=16)
    model = GPT(config, random.Random(1))
    order = topological_order(document_loss(model, [0] * 17))
    # A dot product has all factors of its two vectors as children
    wide = [len(node._children) // 2 for node in order if len(node._children) > 3]
    products = sum(wide) / 16
    # Sums and norms, which are not counted, are among them
    assert 6 * products == pytest.approx(operations(config), rel=0.05)


@pytest.mark.parametrize(
    ("change", "choices"),
    [
        ({"model": "GPT-5"}, "model: choose one of GPT-2, GPT-2 XL"),
        ({"tokens": 1000}, "tokens: choose one of 524288"),
        ({"machines": 3}, "machines: choose one of 1, 2, 4"),
        ({"gigabits": 1}, "gigabits: choose one of 10, 25"),
    ],
)
def test_other_choices_are_refused_in_one_sentence(change, choices):
    with pytest.raises(ValueError, match=choices):
        machines(**{**GIVEN, **change})
