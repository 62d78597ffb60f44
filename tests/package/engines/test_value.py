"""The engine of single steps computes what a node for each dot product does."""

import random

import pytest

from microgpt import GPT, Config, Value, document_loss, nn
from microgpt.autograd import topological_order
from microgpt.engines import value
from microgpt.engines.value import single_steps

TOKENS = [26, 4, 12, 12, 0, 26]  # "emma"


def test_a_dot_product_of_n_numbers_has_2n_minus_1_nodes_of_its_own() -> None:
    for count in range(1, 9):
        a, b = ([Value(i + 0.5) for i in range(count)] for _ in range(2))
        nodes = topological_order(value.dot(a, b))
        assert len(nodes) - 2 * count == 2 * count - 1
        assert sum(len(node._children) for node in nodes) == 4 * count - 2
    with pytest.raises(ValueError, match="shorter"):
        value.dot(a, b[:-1])


def test_no_dot_product_of_the_model_stays_whole() -> None:
    with single_steps():
        loss = document_loss(GPT(Config(), random.Random(1)), TOKENS)
    nodes = topological_order(loss)
    assert "dot" not in {node._op for node in nodes}
    several = [node for node in nodes if len(node._children) > 2]
    # What is left are sums: of each softmax, and of the losses.
    assert {len(node._children) for node in several} <= {3, 4, 5, 27}
    assert {node._op for node in several} == {"add"}


def test_the_lesson_gets_its_own_dot_back_whatever_happens() -> None:
    before = nn.dot
    with pytest.raises(ValueError, match="shorter"), single_steps():
        nn.linear([Value(1.0)], [[Value(1.0), Value(2.0)]])
    assert nn.dot is before
