"""The network of Step 1: its weights untrained and trained, and numbers for readers."""

from __future__ import annotations

import random
from functools import cache
from typing import Literal

from snippets import step1
from widgets._counting import tokenizer_of_the_names
from widgets._recorded import trained_weights

State = Literal["untrained", "trained"]

SEED = 42


@cache
def network_weights(state: State) -> step1.Weights:
    """Return the weights that the pages draw, or those of the recorded run's end.

    Who changes them puts them back.
    """
    if state == "trained":
        return trained_weights()
    if state == "untrained":
        rng = random.Random(SEED)
        return step1.initial_weights(tokenizer_of_the_names().vocab_size, rng)
    raise ValueError("weights: choose untrained or trained")


def significant(x: float, digits: int = 3) -> float:
    """Return a number with a few significant digits."""
    return float(f"{x:.{digits}g}") + 0.0
