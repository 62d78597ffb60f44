"""A name, letter by letter: what could come next, and how a die chooses."""

from __future__ import annotations

import json
from typing import Literal, TypedDict, get_args

from snippets import step1
from widgets._counting import counts_after
from widgets._inputs import whole
from widgets._names import document, shuffled_names, token_names
from widgets._network import DATA, network_weights
from widgets._numbers import significant

TAUGHT = 1000  # names that the runs of the steps learn
LONGEST = 15  # letters to begin with: one more must fit
HOTTEST = 3

Model = Literal["counts", "network", "four-end"]
Part = Literal[
    "letters", "die", "temperature", "cuts", "smoothing", "begin", "names"
]  # fmt: skip


class Sampler(TypedDict):
    """A model for the browser to ask; what it does not need is None.

    `counts` has how often each token came after each, `logits` what the network says
    after each. `matrices` are the weights of a GPT with so many `heads`. The first
    `learnt` of the shuffled names were there to learn from.
    """

    tokens: list[str]
    counts: list[list[int]] | None
    logits: list[list[float]] | None
    matrices: dict[str, list[list[float]]] | None
    heads: int
    learnt: int


def sampler(
    model: Model,
    show: list[Part] | None = None,
    begin: str = "",
    temperature: float = 1.0,
    seed: int = 42,
) -> Sampler:
    """Return a model; the other parameters say what readers see first of it."""
    if model not in get_args(Model):
        raise ValueError("model: choose counts, network or four-end")
    if not set(show or []) <= set(get_args(Part)):
        raise ValueError(f"show: choose of {', '.join(get_args(Part))}")
    if not 0.1 <= temperature <= HOTTEST:
        raise ValueError(f"temperature: choose from 0.1 to {HOTTEST}")
    document(begin, LONGEST, shortest=0)
    whole(seed, "seed", 0, 2**31)
    to_the_end = model == "four-end"
    return Sampler(
        tokens=[*token_names()[:-1], "end"],
        counts=counts_after(TAUGHT) if model == "counts" else None,
        logits=network_logits() if model == "network" else None,
        matrices=recorded() if to_the_end else None,
        heads=4,
        learnt=len(shuffled_names()) * 9 // 10 if to_the_end else TAUGHT,
    )


def network_logits() -> list[list[float]]:
    """Return what the trained network of Step 1 says after each token."""
    weights = network_weights("trained")
    rows = [step1.forward(token, weights) for token in range(len(token_names()))]
    return [[significant(logit, 6) for logit in row] for row in rows]


def recorded() -> dict[str, list[list[float]]]:
    """Return the weights of the GPT with four heads that was trained to the end."""
    text = (DATA / "four-end-weights.json").read_text("utf-8")
    weights: dict[str, list[list[float]]] = json.loads(text)
    return weights
