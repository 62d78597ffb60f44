"""The model over matrices gives the losses, gradients and samples of the one taught."""

import pytest

from microgpt import Config, document_loss, softmax
from microgpt.engines import lists
from tests.models import document
from tests.package.helpers import SIZES
from tests.package.helpers import model_of_size as model


@pytest.mark.parametrize("config", SIZES)
def test_loss_and_probabilities_are_those_of_the_forward_pass(config):
    gpt, tokens = model(config), document("emma")
    loss = document_loss(gpt, tokens).data
    assert lists.document_loss(gpt, tokens) == pytest.approx(loss, rel=1e-13)
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
    impossible = lists.probabilities(gpt, [26])[0].index(0)
    for loss_of in (document_loss, lists.gradient):
        with pytest.raises(ValueError, match=r"math domain error|expected a positive"):
            loss_of(gpt, [26, impossible, 26])
