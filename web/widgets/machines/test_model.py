"""A step takes the operations that the picture of many machines says."""

import random

import pytest

from microgpt import GPT, Config, document_loss
from microgpt.autograd import topological_order
from widgets.machines.model import operations


def test_operations_are_those_that_the_graph_of_a_model_does() -> None:
    config = Config(vocab_size=5, n_layer=2, n_embd=8, n_head=2, block_size=16)
    model = GPT(config, random.Random(1))
    order = topological_order(document_loss(model, [0] * 17))
    # A dot product has all factors of its two vectors as children
    wide = [len(node._children) // 2 for node in order if len(node._children) > 3]
    products = sum(wide) / 16
    # Sums and norms, which are not counted, are among them
    assert 6 * products == pytest.approx(operations(config), rel=0.05)
