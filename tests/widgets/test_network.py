"""What flows through the network is what `forward` computes, number by number."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from microgpt import Tokenizer, load_names
from snippets import step1
from widgets._network import State
from widgets.network.model import Network, network

ROOT = Path(__file__).parents[2]
NAMES = [*"abcdefghijklmnopqrstuvwxyz", "BOS"]


def weights_of(state: State) -> step1.Weights:
    """Draw the weights as the pages do, or read those that were recorded."""
    if state == "untrained":
        rng = random.Random(42)
        return step1.initial_weights(Tokenizer(load_names()).vocab_size, rng)
    recorded = ROOT / "docs" / "data" / "step1-weights.json"
    weights: step1.Weights = json.loads(recorded.read_text())
    return weights


@pytest.fixture(params=["untrained", "trained"])
def both(request: pytest.FixtureRequest) -> tuple[Network, step1.Weights]:
    return network("e", request.param), weights_of(request.param)


def close(numbers: list[float]) -> object:
    return pytest.approx(numbers, rel=0.006, abs=1e-12)


def test_every_vector_of_every_letter_is_that_of_the_program(
    both: tuple[Network, step1.Weights],
) -> None:
    shown, weights = both
    assert shown["tokens"] == NAMES
    assert shown["token"] == NAMES.index("e")
    for token in range(len(NAMES)):
        hidden = [
            sum(w * x for w, x in zip(row, weights["wte"][token], strict=True))
            for row in weights["fc1"]
        ]
        logits = step1.forward(token, weights)
        assert shown["hidden"][token] == close(hidden)
        assert shown["logits"][token] == close(logits)
        assert shown["probabilities"][token] == close(step1.softmax(logits))
        assert sum(shown["probabilities"][token]) == pytest.approx(1, abs=0.005)


def test_relu_lets_pass_what_is_above_zero(
    both: tuple[Network, step1.Weights],
) -> None:
    shown, _ = both
    for hidden, passes, off in zip(
        shown["hidden"], shown["passes"], shown["off"], strict=True
    ):
        assert [h > 0 for h in hidden] == [p == "1" for p in passes]
        assert off == passes.count("0")


def test_the_matrices_are_the_weights(both: tuple[Network, step1.Weights]) -> None:
    shown, weights = both
    for name in ("wte", "fc1", "fc2"):
        matrix = shown[name]  # type: ignore[literal-required]
        assert len(matrix) == len(weights[name])
        for row, true in zip(matrix, weights[name], strict=True):
            assert row == close(true)


def test_a_dot_product_can_be_followed_from_cell_to_cell() -> None:
    shown = network("q", "trained")
    token = shown["token"]
    activated = [
        h if p == "1" else 0.0
        for h, p in zip(shown["hidden"][token], shown["passes"][token], strict=True)
    ]
    for row, logit in zip(shown["fc2"], shown["logits"][token], strict=True):
        products = [w * a for w, a in zip(row, activated, strict=True)]
        assert sum(products) == pytest.approx(logit, abs=0.02)


def test_what_the_network_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="letter: choose one of a, b, c"):
        network("é", "trained")
    with pytest.raises(ValueError, match="choose untrained or trained"):
        network("e", "half")  # type: ignore[arg-type]
