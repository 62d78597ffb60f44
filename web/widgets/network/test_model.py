"""What flows through the network is what `forward` computes, number by number."""

from __future__ import annotations

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import TOKENS, dot, recorded, refusals
from widgets._network import State
from widgets.network.model import network


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_every_vector_of_every_letter_is_that_of_the_program(state: State) -> None:
    if state == "trained":
        weights: step1.Weights = recorded("step1-weights")
    else:
        weights = untrained()[2]
    shown = network("e", state)
    assert (shown["tokens"], shown["token"]) == (TOKENS, TOKENS.index("e"))
    for name in ("wte", "fc1", "fc2"):
        for row, true in zip(shown[name], weights[name], strict=True):
            assert row == pytest.approx(true, rel=0.006, abs=1e-12)
    for token in range(27):
        hidden = [dot(row, weights["wte"][token]) for row in weights["fc1"]]
        logits = step1.forward(token, weights)
        for vector, true in (
            ("hidden", hidden),
            ("logits", logits),
            ("probabilities", step1.softmax(logits)),
        ):
            found = shown[vector][token]  # type: ignore[literal-required]
            assert found == pytest.approx(true, rel=0.006, abs=1e-12)
        passes = "".join("1" if h > 0 else "0" for h in hidden)
        assert shown["passes"][token] == passes
        assert shown["off"][token] == passes.count("0")


test_what_the_network_does_not_know_is_refused = refusals(
    network,
    {"letter": "e", "weights": "trained"},
    ({"letter": "é"}, "letter: choose one of a, b, c"),
    ({"weights": "half"}, "choose untrained or trained"),
)
