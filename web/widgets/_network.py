"""The weights of Step 1, untrained and trained: one copy that all widgets share."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Literal

from microgpt import load_names
from snippets import step1
from widgets._names import SEED, token_names
from widgets._numbers import significant

State = Literal["untrained", "trained"]

DATA = Path(__file__).parents[2] / "docs" / "data"  # which readers' browsers lack


@cache
def network_weights(state: State) -> step1.Weights:
    """Return those that training begins with, or those of its recorded end, to five digits."""
    if state == "trained":
        text = (DATA / "step1-weights.json").read_text("utf-8")
        recorded: step1.Weights = json.loads(text)
        return recorded
    if state != "untrained":
        raise ValueError("weights: choose untrained or trained")
    rng = random.Random(SEED)
    rng.shuffle(load_names())
    return step1.initial_weights(len(token_names()), rng)


@cache
def end_weights(model: str) -> step1.Weights:
    """Return the matrices of a GPT after its training to the end, `one-end` or `four-end`."""
    weights: step1.Weights = json.loads((DATA / f"{model}-weights.json").read_text())
    return weights


def network_logits() -> list[list[float]]:
    """Return what the trained network says after each token.

    With a digit less, a random number falls on another letter now and then.
    """
    weights = network_weights("trained")
    rows = [step1.forward(token, weights) for token in range(len(token_names()))]
    return [[significant(logit, 6) for logit in row] for row in rows]
