"""Twenty names, and every random number that chose a letter of them."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import TypedDict

from snippets.step0 import probabilities, sample
from widgets._counting import counts_after
from widgets._inputs import whole
from widgets._names import token_names, tokenizer_of_the_names
from widgets._numbers import shown

NAMES = 20
LEARNT = 1000  # names


class Draw(TypedDict):
    """A number from 0 to 1, and the piece of the line that it falls on.

    The line is that of `token`; the piece reaches from `start` to `end` and belongs to
    `drawn`, whose probability is `p`.
    """

    token: int
    number: float
    drawn: int
    start: float
    end: float
    p: float


class SampledName(TypedDict):
    """A name, and its draws, of which the last is BOS unless the name is too long."""

    name: str
    draws: list[Draw]


class Sampler(TypedDict):
    """The names, and for each token the places at which its line is cut."""

    tokens: list[str]
    cuts: list[list[float]]
    names: list[SampledName]


class Dice(random.Random):
    """Remembers every number that it gave."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.given: list[float] = []

    def random(self) -> float:
        """Return the next number, from 0 to 1."""
        self.given.append(super().random())
        return self.given[-1]


def sampler(seed: int) -> Sampler:
    """Invent twenty names with this seed, as `sample` of Step 0 does."""
    tokenizer = tokenizer_of_the_names()
    counts = counts_after(LEARNT)
    rows = [probabilities(token, counts) for token in range(tokenizer.vocab_size)]
    # `choices` cuts its line at the same places.
    cuts = [list(accumulate(row)) for row in rows]
    dice = Dice(whole(seed, "seed", 0, 2**31))
    names = []
    for _ in range(NAMES):
        dice.given.clear()
        name = sample(counts, tokenizer, dice)
        # A name that reached its largest length was not asked for its end.
        drawn = tokenizer.document(name)[1:][: len(dice.given)]
        draws = []
        for token, target, number in zip(
            [tokenizer.bos, *drawn], drawn, dice.given, strict=False
        ):
            draws.append(
                Draw(
                    token=token,
                    number=shown(number, 5),
                    drawn=target,
                    start=shown(cuts[token][target - 1], 5) if target else 0.0,
                    end=shown(cuts[token][target], 5),
                    p=shown(rows[token][target]),
                )
            )
        names.append(SampledName(name=name, draws=draws))
    return Sampler(
        tokens=token_names(),
        cuts=[[shown(cut, 5) for cut in row] for row in cuts],
        names=names,
    )
