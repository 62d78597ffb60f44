"""The weights of Step 1, untrained and trained: one copy that all widgets share.

What was recorded, which is only read when the site is built, isn't in readers' browsers.
"""

import json
import random
from functools import cache
from pathlib import Path
from typing import Literal

from microgpt import load_names
from snippets import step1
from widgets._names import SEED, token_names

State = Literal["untrained", "trained"]

DATA = Path(__file__).parents[2] / "docs" / "data"


def network_weights(state: State) -> step1.Weights:
    """Return the weights that training begins with, or those of the recorded run's end."""
    if state == "trained":
        return trained_weights()
    if state == "untrained":
        return first_weights()
    raise ValueError("weights: choose untrained or trained")


@cache
def first_weights() -> step1.Weights:
    """Return the weights that pages and the program's run begin with, drawn after the shuffle."""
    rng = random.Random(SEED)
    rng.shuffle(load_names())
    return step1.initial_weights(len(token_names()), rng)


@cache
def trained_weights() -> step1.Weights:
    """Return the weights of the program after its 1,000 steps, to five digits."""
    recorded = (DATA / "step1-weights.json").read_text("utf-8")
    weights: step1.Weights = json.loads(recorded)
    return weights
