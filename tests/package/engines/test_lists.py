"""The model over matrices gives the losses, gradients and samples of the one taught."""

from itertools import islice

import pytest

from microgpt import GPT, Config, document_loss, softmax
from microgpt.engines import lists
from tests.models import document
from tests.package.helpers import SIZES
from tests.package.helpers import model_of_size as model


def by_graph(gpt: GPT, tokens: list[int]) -> float:
    loss = document_loss(gpt, tokens)
    loss.backward()
    return loss.data


def gradient(engine: str, gpt: GPT, tokens: list[int]) -> tuple[float, list[float]]:
    for parameter in gpt.parameters():
        parameter.grad = 0.0
    find = {"value": by_graph, "lists": lists.gradient}[engine]
    loss = find(gpt, tokens)
    return loss, [parameter.grad for parameter in gpt.parameters()]


@pytest.mark.parametrize("config", SIZES)
def test_a_loss_without_its_gradient_is_that_of_the_graph(config):
    gpt, tokens = model(config), document("emma")
    loss = document_loss(gpt, tokens).data
    assert lists.document_loss(gpt, tokens) == pytest.approx(loss, rel=1e-13)


def test_the_gradient_is_added_to_what_is_there():
    gpt = model(Config())
    lists.gradient(gpt, [26, 0, 26])
    once = [p.grad for p in gpt.parameters()]
    lists.gradient(gpt, [26, 0, 26])
    twice = [p.grad for p in gpt.parameters()]
    assert twice == [2 * grad for grad in once]


def test_a_document_longer_than_the_context_is_cut():
    gpt = model(Config(block_size=3))
    long, short = [26, 1, 2, 3, 4, 26], [26, 1, 2, 3]
    assert gradient("lists", gpt, long) == gradient("lists", gpt, short)
    assert lists.document_loss(gpt, long) == lists.document_loss(gpt, short)


@pytest.mark.parametrize("config", SIZES)
def test_probabilities_are_those_of_the_forward_pass(config):
    gpt = model(config)
    tokens = [26, 4, 12, 12, 0][: config.block_size]
    cache = gpt.new_cache()
    expected = [[p.data for p in softmax(gpt.forward(t, cache))] for t in tokens]
    found = lists.probabilities(gpt, tokens)
    assert len(found) == len(tokens)
    for row, expected_row in zip(found, expected, strict=True):
        assert row == pytest.approx(expected_row, rel=1e-11)


def test_more_tokens_than_the_context_has_room_for_are_refused():
    with pytest.raises(ValueError, match="the model reads at most 2 tokens"):
        lists.probabilities(model(Config(block_size=2)), [26, 0, 1])


def test_the_loss_of_an_impossible_target_is_refused_as_the_graph_refuses_it():
    gpt = model(Config(), std=30)
    tokens = [26, 0, 1, 2, 26]
    impossible = [
        target
        for target in range(27)
        if lists.probabilities(gpt, tokens[:1])[0][target] == 0
    ]
    assert impossible
    for engine in (by_graph, lists.gradient):
        with pytest.raises(ValueError, match=r"math domain error|expected a positive"):
            engine(gpt, [26, *islice(impossible, 1), 26])
