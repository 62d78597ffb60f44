"""Formulas for FLOPs agree with the graph, and profiled times add up."""

import random
from unittest.mock import Mock, patch

import pytest

from bench import flops, profile
from microgpt import GPT, Config, Value, autograd, document_loss
from microgpt.autograd import topological_order
from microgpt.engines import value

CONFIGS_AND_LENGTHS = [
    (Config(), 6),
    (Config(vocab_size=9, n_layer=2, n_embd=8, n_head=2, block_size=7), 7),
    (Config(vocab_size=5, n_layer=3, n_embd=6, n_head=1, block_size=5), 2),
]


def compute_loss_and_multiplications(config: Config, length: int) -> tuple[Value, int]:
    """Return a document's loss, and how many multiplications its dot products took."""
    model = GPT(config, random.Random(1))
    tokens = [i % config.vocab_size for i in range(length + 1)]
    dot = Mock(wraps=value.elementary_dot)
    with patch.object(value, "elementary_dot", dot), value.use_elementary_dot():
        loss = document_loss(model, tokens)
    return loss, sum(len(call.args[0]) for call in dot.call_args_list)


@pytest.mark.parametrize(("config", "length"), CONFIGS_AND_LENGTHS)
def test_flop_formulas_count_all_multiplications(config: Config, length: int) -> None:
    _, count = compute_loss_and_multiplications(config, length)
    squares = length * (2 * config.n_layer + 1) * config.n_embd  # of each norm
    matrices = flops.count_matrix_multiplications(config, length)
    attention = flops.count_attention_multiplications(config, length)
    assert count == squares + matrices + attention


def test_backward_pass_takes_twice_the_forward_flops() -> None:
    """Each local gradient other than 1 costs a multiplication and an addition."""
    config = Config(n_embd=32)
    loss, _ = compute_loss_and_multiplications(config, 8)
    nodes = topological_order(loss)
    forward = sum(1 for node in nodes if node._children)
    factors = sum(slope != 1 for node in nodes for slope in node._local_grads)
    assert 2 * factors == pytest.approx(2 * forward, rel=0.03)
    expected = pytest.approx(forward + 2 * factors, rel=0.06)
    assert flops.document_flops(config, 8) == expected


def test_phase_shares_of_a_step_add_up_to_one() -> None:
    order = autograd.topological_order
    shares = profile.measure_phase_shares(2)
    assert sum(shares.values()) == pytest.approx(1)
    assert all(share > 0 for share in shares.values())
    assert autograd.topological_order is order
