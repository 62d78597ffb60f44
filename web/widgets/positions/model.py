"""A token's embedding, its position's, and their sum, as `forward` adds them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TypedDict

from microgpt.nn import Vector
from widgets._gpt import numbers, read, step3_weights
from widgets._names import document, token_names
from widgets._network import State
from widgets._numbers import shown, significant

LONGEST = 15  # letters: with BOS, as many tokens as there are positions
STATES: tuple[State, ...] = ("untrained", "trained")


class PositionRows(TypedDict):
    """What a network adds up: a row for each token of the name.

    `similar` is the cosine of the angle between any two rows of `wpe`.
    """

    weights: State
    token: list[list[float]]
    position: list[list[float]]
    sum: list[list[float]]
    similar: list[list[float]]


class Positions(TypedDict):
    """The tokens of a name, and the rows of both networks; `at` is shown first."""

    tokens: list[str]
    at: int
    networks: list[PositionRows]


def positions(name: str, weights: State) -> Positions:
    """Look up what the network of Step 3 adds for each token of a name."""
    if weights not in STATES:
        raise ValueError("weights: choose untrained or trained")
    inputs = document(name, longest=LONGEST)[:-1]
    names = [token_names()[token] for token in inputs]
    same = [i for i, (a, b) in enumerate(pairwise(names), 1) if a == b]
    return Positions(
        tokens=names,
        at=same[0] if same else len(names) - 1,
        networks=[rows(state, inputs) for state in STATES],
    )


def rows(state: State, inputs: list[int]) -> PositionRows:
    """Return what `forward` looked up and added for each token."""
    passes = read("step3", state, inputs)
    table = [numbers(row) for row in step3_weights(state)["wpe"]]
    return PositionRows(
        weights=state,
        token=[rounded(call.variables["token_embedding"]) for call in passes],
        position=[rounded(call.variables["position_embedding"]) for call in passes],
        sum=[rounded(call.all("rmsnorm")[0].variables["x"]) for call in passes],
        similar=[[shown(cosine(a, b), 2) + 0.0 for b in table] for a in table],
    )


def rounded(vector: Vector) -> list[float]:
    """Return a vector for readers to see."""
    return [significant(x) for x in numbers(vector)]


def cosine(a: list[float], b: list[float]) -> float:
    """Return 1 for vectors of one direction, −1 for opposite ones."""
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / (math.hypot(*a) * math.hypot(*b))
