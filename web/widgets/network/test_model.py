"""The page is given the weights of Step 1, and the lines that compute with them."""

import pytest

from snippets.ready import untrained
from tests.models import TOKENS, assert_json, recorded, refusals
from widgets.network.model import Network, network


@pytest.mark.parametrize(
    ("shown", "states", "rel"),
    [
        (network(), ["untrained", "trained"], 1e-4),
        (network(only="parameters"), ["untrained", "trained"], 6e-3),
        (network(only="nudge"), ["untrained"], 1e-5),
        (network(only="dot product"), ["trained"], 6e-3),
        (network(only="softmax", logits=[1.0]), [], 0),
    ],
)
def test_each_part_has_the_weights_it_needs(
    shown: Network, states: list[str], rel: float
) -> None:
    true = {"untrained": untrained()[2], "trained": recorded("step1-weights")}
    assert (shown["tokens"], [*shown["weights"]]) == (TOKENS, states)
    for state, matrices in shown["weights"].items():
        for name, matrix in matrices.items():
            for row, exact in zip(matrix, true[state][name], strict=True):
                assert row == pytest.approx(exact, rel=rel)
    assert_json(shown)


test_what_a_page_cannot_mean_is_refused = refusals(
    network,
    {},
    ({"name": "a" * 17}, "at most 16 letters"),
    ({"weights": "half"}, "choose untrained or trained"),
    ({"pair": 6}, "pair: choose from 1 to 5"),
    ({"at": "middle"}, "at: choose one of start, x"),
    ({"open": "door"}, "open: choose lines"),
    ({"only": "door"}, "only: choose one of flow"),
    ({"only": "softmax"}, "logits: softmax needs some"),
    ({"w": [1.0], "x": [1.0, 2.0]}, "as many numbers"),
    ({"matrix": "fc3"}, "matrix: choose one of wte, fc1, fc2"),
    ({"row": 27}, "row of wte: choose from 0 to 26"),
    ({"matrix": "fc1", "column": 16}, "column of fc1: choose from 0 to 15"),
)
