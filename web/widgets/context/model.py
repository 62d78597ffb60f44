"""What two networks expect next in a name: one sees a letter, the other all so far."""

from __future__ import annotations

import math
from typing import TypedDict

from microgpt import softmax
from snippets import step1
from widgets._gpt import numbers, read
from widgets._names import document, token_names
from widgets._network import trained_weights
from widgets._numbers import significant

LONGEST = 15  # letters: with BOS, as many tokens as the network of Step 3 reads


class ContextPlace(TypedDict):
    """A place in a name, and what both networks expect there.

    `alike` are the other places where the network of Step 2 sees the same token.
    `one` and `all` are the probabilities of the networks of Step 2 and Step 3.
    """

    token: int
    target: int
    alike: list[int]
    one: list[float]
    all: list[float]
    losses: tuple[float, float]


class Context(TypedDict):
    """The places of a name, from BOS to its last letter; `means` are of the losses."""

    tokens: list[str]
    places: list[ContextPlace]
    means: tuple[float, float]


def context(name: str) -> Context:
    """Let both networks read a name as they are after training."""
    tokens = document(name, longest=LONGEST)
    inputs = tokens[:-1]
    of_step3 = [
        numbers(softmax(call.result)) for call in read("step3", "trained", inputs)
    ]
    places = []
    for i, token in enumerate(inputs):
        one = step1.softmax(step1.forward(token, trained_weights()))
        target = tokens[i + 1]
        losses = (-math.log(one[target]), -math.log(of_step3[i][target]))
        places.append(
            ContextPlace(
                token=token,
                target=target,
                alike=[j for j, t in enumerate(inputs) if t == token and j != i],
                one=[round(p, 4) for p in one],
                all=[round(p, 4) for p in of_step3[i]],
                losses=losses,
            )
        )
    one_mean, all_mean = (
        sum(place["losses"][which] for place in places) / len(places)
        for which in (0, 1)
    )
    for place in places:
        first, second = place["losses"]
        place["losses"] = (significant(first, 5), significant(second, 5))
    return Context(
        tokens=token_names(),
        places=places,
        means=(significant(one_mean, 5), significant(all_mean, 5)),
    )
