"""Recorded weights of the models that widgets show, loaded once for all widgets."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Literal

from microgpt import load_names
from snippets import step1
from widgets._names import SEED, token_labels
from widgets._rounding import round_significant

WeightsState = Literal["untrained", "trained"]

RECORDS_FOLDER = (
    Path(__file__).parents[2] / "docs" / "data"
)  # which readers' browsers lack


@cache
def network_weights(state: WeightsState) -> step1.Weights:
    """Return the matrices of the network of Step 1, before or after its training.

    The trained ones are recorded to five digits.
    """
    if state == "trained":
        text = (RECORDS_FOLDER / "step1-weights.json").read_text("utf-8")
        weights: step1.Weights = json.loads(text)
        return weights
    if state != "untrained":
        raise ValueError(f"weights: expected untrained or trained, got {state!r}")
    rng = random.Random(SEED)
    rng.shuffle(load_names())
    return step1.initial_weights(len(token_labels()), rng)


@cache
def gpt_weights(model: str) -> step1.Weights:
    """Return the matrices of a GPT that was trained to the end.

    Args:
        model: `one-end` for a GPT with one head, `four-end` for one with four.
    """
    weights: step1.Weights = json.loads(
        (RECORDS_FOLDER / f"{model}-weights.json").read_text()
    )
    return weights


def trained_network_logits() -> list[list[float]]:
    """Return the logits of the trained network after each token, a row for each.

    They have six digits: with fewer, a random number may fall on another letter.
    """
    weights = network_weights("trained")
    rows = [step1.forward(token, weights) for token in range(len(token_labels()))]
    return [[round_significant(logit, 6) for logit in row] for row in rows]
