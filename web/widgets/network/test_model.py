"""The page is given the weights of Step 1, and the lines that compute with them."""

import pytest

from snippets.ready import untrained
from tests.models import assert_json, assert_listed, recorded, refusals
from widgets.network.model import network


def test_the_page_has_both_weights() -> None:
    shown = network()
    true = {"untrained": untrained()[2], "trained": recorded("step1-weights")}
    assert shown["weights"].keys() == true.keys()
    for state, matrices in shown["weights"].items():
        for name, matrix in matrices.items():
            for row, exact in zip(matrix, true[state][name], strict=True):
                assert row == pytest.approx(exact, rel=1e-4)
    assert_json(shown)


def test_the_lit_line_of_a_stage_computes_it() -> None:
    shown = network(at="d_logits", open="lines")
    listing = shown["listing"]
    assert listing
    lines = [line for function in listing["functions"] for line in function["lines"]]
    text = {line["number"]: line["text"].strip() for line in lines}
    assert_listed(listing["file"], listing["functions"], text)
    for stage, lit in zip(shown["stages"], listing["lit"], strict=True):
        if stage in ("x", "hidden", "activated", "d_activated", "d_hidden", "d_x"):
            assert text[lit["line"]].startswith(f"{stage} = ")


test_what_a_page_cannot_mean_is_refused = refusals(
    network,
    {},
    ({"name": "a" * 17}, "at most 16 letters"),
    ({"pair": 6}, "pair: choose from 1 to 5"),
    ({"at": "middle"}, "at: choose one of start, x"),
)
