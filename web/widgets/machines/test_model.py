"""The picture of many machines adds up as the page does."""

import random

import pytest

from microgpt import GPT, Config, document_loss
from microgpt.autograd import topological_order
from tests.models import refusals
from widgets.machines.model import (
    LINKS,
    MACHINES,
    MODELS,
    TOKENS,
    Machines,
    machines,
    operations,
)


@pytest.fixture(scope="module")
def result() -> Machines:
    return machines("GPT-2", 2**19, 8, 100)


def test_machines_share_the_work_and_send_never_more_than_two_copies(
    result: Machines,
) -> None:
    for model in result["models"]:
        assert model["parameters"] == MODELS[model["name"]].num_parameters
        for row, _ in zip(model["compute"], TOKENS, strict=True):
            assert row == pytest.approx([row[0] / n for n in MACHINES], rel=0.02)
        copy = 8 * 4 * model["parameters"]
        for link, seconds, cut in zip(
            LINKS, model["copied"]["send"], model["cut"]["send"], strict=True
        ):
            assert len(seconds) == len(MACHINES)
            assert seconds[0] == cut[0] == 0
            assert seconds == sorted(seconds)
            assert seconds[-1] <= 2 * copy / (link * 1e9)
            assert cut == pytest.approx([1.5 * a for a in seconds], rel=0.02)
        whole = 16 * model["parameters"] / 1e9
        needed = pytest.approx([whole / n for n in MACHINES], rel=0.005)
        assert model["copied"]["memory"] == pytest.approx(
            [whole] * len(MACHINES), rel=0.005
        )
        assert model["cut"]["memory"] == needed


def test_operations_are_those_that_the_graph_of_a_model_does() -> None:
    config = Config(vocab_size=5, n_layer=2, n_embd=8, n_head=2, block_size=16)
    model = GPT(config, random.Random(1))
    order = topological_order(document_loss(model, [0] * 17))
    # A dot product has all factors of its two vectors as children
    wide = [len(node._children) // 2 for node in order if len(node._children) > 3]
    products = sum(wide) / 16
    # Sums and norms, which are not counted, are among them
    assert 6 * products == pytest.approx(operations(config), rel=0.05)


test_other_choices_are_refused_in_one_sentence = refusals(
    machines,
    {"model": "GPT-2", "tokens": 2**19, "machines": 8, "gigabits": 100},
    ({"model": "GPT-5"}, "model: choose one of GPT-2, GPT-2 XL"),
    ({"tokens": 1000}, "tokens: choose one of 524288"),
    ({"machines": 3}, "machines: choose one of 1, 2, 4"),
    ({"gigabits": 1}, "gigabits: choose one of 10, 25"),
)
