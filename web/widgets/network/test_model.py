"""The network widget gets the weights of Step 1."""

import pytest

from snippets.ready import step1_setup
from tests.models import assert_finite_json, load_record, make_refusal_test
from widgets.network.model import network


def test_network_returns_untrained_and_trained_weights() -> None:
    result = network()
    expected = {"untrained": step1_setup()[2], "trained": load_record("step1-weights")}
    assert result["weights"].keys() == expected.keys()
    for state, matrices in result["weights"].items():
        for name, matrix in matrices.items():
            for row, exact in zip(matrix, expected[state][name], strict=True):
                assert row == pytest.approx(exact, rel=1e-4)
    assert_finite_json(result)


test_network_refuses_long_names_and_unknown_pairs_and_stages = make_refusal_test(
    network,
    {},
    ({"name": "a" * 17}, "at most 16 letters"),
    ({"pair": 6}, "pair: expected a whole number from 1 to 5, got 6"),
    ({"shown_stage": "middle"}, "shown_stage: expected one of start.*, got 'middle'"),
)
