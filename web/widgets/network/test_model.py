"""The page is given the weights of Step 1."""

import pytest

from snippets.ready import untrained
from tests.models import assert_json, load_record, make_refusal_test
from widgets.network.model import network


def test_the_page_has_both_weights() -> None:
    shown = network()
    true = {"untrained": untrained()[2], "trained": load_record("step1-weights")}
    assert shown["weights"].keys() == true.keys()
    for state, matrices in shown["weights"].items():
        for name, matrix in matrices.items():
            for row, exact in zip(matrix, true[state][name], strict=True):
                assert row == pytest.approx(exact, rel=1e-4)
    assert_json(shown)


test_what_a_page_cannot_mean_is_refused = make_refusal_test(
    network,
    {},
    ({"name": "a" * 17}, "at most 16 letters"),
    ({"pair": 6}, "pair: choose from 1 to 5"),
    ({"at": "middle"}, "at: choose one of start, x"),
)
