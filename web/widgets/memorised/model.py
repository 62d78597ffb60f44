"""A name in the eyes of the trained model, beside all that differ from it by a letter."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import TypedDict

from microgpt.engines import lists
from microgpt.engines.tape import Matrix, Tape, softmax
from widgets._gpt import gpt
from widgets._inference import LONGEST, TRAINED, Kind, kind_of
from widgets._names import document, shuffled_names, tokenizer_of_the_names
from widgets._numbers import significant

LISTED = 8


class JudgedName(TypedDict):
    """How likely the model is to say just this name: one time in `one_in`.

    `rank` counts from 1, the likeliest. `share` is its probability as a part of that of
    the likeliest.
    """

    name: str
    kind: Kind
    rank: int
    one_in: float
    share: float


class Memorised(TypedDict):
    """The likeliest of a name and its neighbours, and the name itself.

    `step` is the one that trained on it, 0 if none did. `loss` is its loss, in nats.
    `total` names were compared, of which `known` are in the dataset.
    """

    name: str
    step: int
    loss: float
    itself: JudgedName
    likeliest: list[JudgedName]
    total: int
    known: int
    dataset: int
    trained: int


def memorised(name: str) -> Memorised:
    """Compare a name with those that have another letter in one place."""
    tokens = document(name, longest=LONGEST - 1)
    name = name.strip()
    order = shuffled_names()
    everyone = [name, *neighbours(name)]
    chances = sorted(((chance(one), one) for one in everyone), reverse=True)
    judged = [
        JudgedName(
            name=one,
            kind=kind_of(one),
            rank=rank,
            one_in=significant(1 / p, 2),
            share=significant(p / chances[0][0]),
        )
        for rank, (p, one) in enumerate(chances, 1)
    ]
    (itself,) = (one for one in judged if one["name"] == name)
    return Memorised(
        name=name,
        step=order.index(name) + 1 if itself["kind"] == "trained" else 0,
        loss=round(-math.log(chance(name)) / (len(tokens) - 1), 3),
        itself=itself,
        likeliest=judged[:LISTED],
        total=len(judged),
        known=sum(one["kind"] != "new" for one in judged),
        dataset=len(order),
        trained=TRAINED,
    )


def neighbours(name: str) -> list[str]:
    """Return every name that has another letter in one place."""
    letters = tokenizer_of_the_names().characters
    return [
        name[:place] + letter + name[place + 1 :]
        for place in range(len(name))
        for letter in letters
        if letter != name[place]
    ]


def chance(name: str) -> float:
    """Return the probability that the model says this name and stops."""
    tokens = tokenizer_of_the_names().document(name)
    rows = lists.logits(Tape(), gpt("trained"), weights(), tokens[:-1]).data
    product = 1.0
    for row, (_, target) in zip(rows, pairwise(tokens), strict=True):
        product *= softmax(row)[target]
    return product


@cache
def weights() -> dict[str, Matrix]:
    """Return the numbers in the model, which stay as they are."""
    return lists.numbers(gpt("trained"))
