"""Names that grow from a beginning, letter by letter, and what else could have come."""

from __future__ import annotations

import random
from typing import TypedDict

from microgpt import sample
from widgets._gpt import gpt
from widgets._inference import (
    LONGEST,
    Kind,
    beginning,
    chances_along,
    cooled,
    kind_of,
    logits_along,
    temperature_of,
)
from widgets._inputs import whole
from widgets._names import token_names, tokenizer_of_the_names
from widgets._numbers import significant

NAMES = 4  # that are grown from the same beginning, with seeds that follow each other
MOST = 2**31 - NAMES


class GrowPlace(TypedDict):
    """Where a name stands after some letters.

    `probabilities` are those of each token to be next, none where the context is full.
    `begins` is how likely a name is to begin like this. Of `one_in` names, one is this;
    0 where it is too seldom to say. `kind` says whether the dataset has it.
    """

    probabilities: list[float]
    begins: float
    one_in: float
    kind: Kind


class GrownName(TypedDict):
    """What `sample` makes of the beginning, with this seed."""

    seed: int
    name: str


class Grow(TypedDict):
    """The names, and each beginning of each of them."""

    tokens: list[str]
    longest: int
    names: list[GrownName]
    places: dict[str, GrowPlace]


def grow(chosen: str, temperature: float, seed: float) -> Grow:
    """Let the model go on from what was chosen, a few times."""
    chosen = beginning(chosen)
    temperature = temperature_of(temperature)
    first = whole(seed, "seed", 0, MOST)
    names = [
        GrownName(seed=each, name=grown(chosen, temperature, each))
        for each in range(first, first + NAMES)
    ]
    places: dict[str, GrowPlace] = {}
    for one in names:
        places |= places_along(one["name"], temperature)
    return Grow(tokens=token_names(), longest=LONGEST, names=names, places=places)


def grown(chosen: str, temperature: float, seed: int) -> str:
    """Return a name that begins with what was chosen."""
    if len(chosen) == LONGEST:  # no letter fits behind it
        return chosen
    tokenizer = tokenizer_of_the_names()
    return sample(gpt("trained"), tokenizer, random.Random(seed), temperature, chosen)


def places_along(name: str, temperature: float) -> dict[str, GrowPlace]:
    """Return every beginning of a name, from the empty one to itself."""
    bos = tokenizer_of_the_names().bos
    rows = [cooled(logits, temperature) for logits in logits_along(name)]
    begins = chances_along(name, rows)
    places = {}
    for count, chance in enumerate(begins):
        full = count == LONGEST
        is_it = chance if full else chance * rows[count][bos]
        places[name[:count]] = GrowPlace(
            probabilities=[] if full else [significant(p) for p in rows[count]],
            begins=significant(chance),
            one_in=significant(1 / is_it, 2) if is_it > 1e-15 else 0.0,
            kind=kind_of(name[:count]),
        )
    return places
