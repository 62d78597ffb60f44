"""Recorded weights of the models that widgets show, loaded once for all widgets."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Literal

from microgpt import load_names
from snippets import step1
from widgets._names import TRAINING_SEED, token_labels

TrainedOrNot = Literal["untrained", "trained"]

# Readers' browsers have only some of its files
RECORDS_FOLDER = Path(__file__).parents[2] / "docs/data"


def round_significant(x: float, digits: int = 3) -> float:
    """Round to significant digits; 0 never has a minus sign."""
    return float(f"{x:.{digits}g}") + 0.0


@cache
def network_weights(state: TrainedOrNot) -> step1.Weights:
    """Return the matrices of the network of Step 1, before or after its training.

    The trained ones are recorded to five digits.
    """
    if state == "trained":
        return load_weights("step1")
    if state != "untrained":
        raise ValueError(f"weights: expected untrained or trained, got {state!r}")
    rng = random.Random(TRAINING_SEED)
    rng.shuffle(load_names())
    return step1.initial_weights(len(token_labels()), rng)


@cache
def load_weights(model: str) -> step1.Weights:
    """Load `docs/data/MODEL-weights.json`: the rows of each matrix by its name.

    Args:
        model: `step1`, or one of `RUNS_WITH_WEIGHTS` in trainer/record_runs.mjs.
    """
    text = (RECORDS_FOLDER / f"{model}-weights.json").read_text("utf-8")
    weights: step1.Weights = json.loads(text)
    return weights


def trained_network_logits() -> list[list[float]]:
    """Return the logits of the trained network after each token, a row for each.

    They have six digits: with fewer, a random number may fall on another letter.
    """
    weights = network_weights("trained")
    rows = [step1.forward(token, weights) for token in range(len(token_labels()))]
    return [[round_significant(logit, 6) for logit in row] for row in rows]
