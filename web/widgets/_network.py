"""The network of Step 1: its weights untrained and trained, and what readers ask of it."""

from __future__ import annotations

import random
from functools import cache
from typing import Literal

from microgpt import Tokenizer, load_names
from snippets import step1
from widgets._recorded import trained_weights

State = Literal["untrained", "trained"]

SEED = 42
LONGEST = 16  # letters, as in `sample`


@cache
def tokenizer() -> Tokenizer:
    """Return the tokenizer of the names that ship with the package."""
    return Tokenizer(load_names())


@cache
def network_weights(state: State) -> step1.Weights:
    """Return the weights that the pages draw, or those of the recorded run's end.

    Who changes them puts them back.
    """
    if state == "trained":
        return trained_weights()
    if state == "untrained":
        rng = random.Random(SEED)
        return step1.initial_weights(tokenizer().vocab_size, rng)
    raise ValueError("weights: choose untrained or trained")


def token_names() -> list[str]:
    """Return what readers call each token."""
    return [*tokenizer().characters, "BOS"]


def document(name: str) -> list[int]:
    """Return the tokens of a name that a reader typed; ValueError if it is none."""
    name = name.strip()
    if not name:
        raise ValueError("type a name: one letter or more")
    if len(name) > LONGEST:
        raise ValueError(f"type at most {LONGEST} letters: this has {len(name)}")
    try:
        return tokenizer().document(name)
    except ValueError as error:
        small = name.lower()
        known = small != name and set(small) <= set(tokenizer().characters)
        hint = f"; type {small!r}, in small letters" if known else ""
        raise ValueError(f"{error}{hint}") from None


def significant(x: float, digits: int = 3) -> float:
    """Return a number with a few significant digits."""
    return float(f"{x:.{digits}g}") + 0.0
