"""The engine of single steps computes what a node for each dot product does."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from microgpt import GPT, Config, Run, Value, attention, load_names, nn
from microgpt.autograd import topological_order
from microgpt.engines import load_engine, value
from microgpt.training import backpropagate, document_loss

ONE_NODE = nn.dot  # as the package begins
TOKENS = [26, 4, 12, 12, 0, 26]  # "emma"


def gradients(model: GPT) -> list[float]:
    return [parameter.grad for parameter in model.parameters()]


def test_losses_and_gradients_are_those_of_one_node_for_each_dot_product() -> None:
    config = Config(n_layer=2)
    ours, theirs = (GPT(config, random.Random(1)) for _ in range(2))
    assert value.gradient(ours, TOKENS) == pytest.approx(
        backpropagate(theirs, TOKENS), abs=1e-14
    )
    assert any(gradients(ours))
    assert gradients(ours) == pytest.approx(gradients(theirs), abs=1e-14)


def test_a_run_has_the_same_losses() -> None:
    names = load_names()
    losses = [
        list(islice(Run(names, Config(), 1000, engine=load_engine(name)).train(), 5))
        for name in ("value", "dot")
    ]
    assert losses[0] == pytest.approx(losses[1], abs=1e-12)


def test_a_dot_product_of_n_numbers_has_2n_minus_1_nodes_of_its_own() -> None:
    for count in range(1, 9):
        a, b = ([Value(i + 0.5) for i in range(count)] for _ in range(2))
        nodes = topological_order(value.dot(a, b))
        assert len(nodes) - 2 * count == 2 * count - 1
        assert sum(len(node._children) for node in nodes) == 4 * count - 2
    with pytest.raises(ValueError, match="shorter"):
        value.dot(a, b[:-1])


def test_no_dot_product_of_the_model_stays_whole() -> None:
    model = GPT(Config(), random.Random(1))
    with value.dot_taken_apart():
        nodes = topological_order(document_loss(model, TOKENS))
    several = [node for node in nodes if len(node._children) > 2]
    # What is left are sums: of each softmax, and of the losses.
    assert {len(node._children) for node in several} <= {3, 4, 5, 27}
    assert {x for node in several for x in node._local_grads} == {1.0}


def test_the_package_has_its_own_dot_again_even_after_an_error() -> None:
    model = GPT(Config(), random.Random(1))
    with pytest.raises(IndexError):
        value.gradient(model, [99, 0])
    assert nn.dot is ONE_NODE
    assert vars(attention)["dot"] is ONE_NODE
