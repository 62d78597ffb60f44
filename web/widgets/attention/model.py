"""Who listens to whom in a name: the arcs of a head, and every number behind one."""

import math
from functools import cache
from typing import Literal, TypedDict, get_args

from microgpt import Config
from snippets.ready import looks
from widgets._inputs import whole
from widgets._names import document, shuffled_names, tokenizer_of_the_names
from widgets._network import end_weights

LONGEST = Config().block_size - 1  # letters, after BOS
HEADS = {"one-end": 1, "four-end": 4}
NEEDED = ["wte", "wpe", *(f"layer0.attn_w{to}" for to in "qkv")]
VOWELS = "aeiouy"

Trained = Literal["one-end", "four-end"]
View = Literal["arcs", "cache", "mask"]
Rows = list[list[float]]


class Habit(TypedDict):
    """A mean share over the held-out names, and what it would be if all got the same."""

    to: str
    share: float
    even: float


class HeadHabits(TypedDict):
    """What a head does; its `shares` are spread as over `width` of `even` tokens."""

    shares: list[Habit]
    width: float
    even: float


class Attention(TypedDict):
    """What a page needs to read a name: weights, and how they were before training.

    These are the first numbers drawn after so many `names` were shuffled.
    """

    characters: str
    heads: int
    matrices: dict[str, Rows]
    names: int
    held_out: int
    habits: list[HeadHabits]


def attention(
    name: str, model: Trained, head: int = 0, view: View = "arcs", asks: int = -1
) -> Attention:
    """Return the weights; all else is what the page opens with.

    `asks` is the token that looks back, counted from BOS, which is 0; −1 is the last.
    """
    if model not in HEADS:
        raise ValueError(f"model: choose {' or '.join(HEADS)}")
    whole(head, "head", 0, HEADS[model] - 1)
    if view not in get_args(View):
        raise ValueError(f"view: choose {', '.join(get_args(View))}")
    whole(asks, "asks", -1, len(document(name, LONGEST)) - 2)
    return Attention(
        characters="".join(tokenizer_of_the_names().characters),
        heads=HEADS[model],
        matrices={each: end_weights(model)[each] for each in NEEDED},
        names=len(shuffled_names()),
        held_out=len(held_out()),
        habits=[habits(model, each) for each in range(HEADS[model])],
    )


@cache
def held_out() -> list[str]:
    """Return the names that no step of that training saw."""
    names = shuffled_names()
    learnt = math.floor(0.9 * len(names))
    known = set(names[:learnt])
    return [name for name in names[learnt:] if name not in known]


@cache
def shares(model: Trained, name: str) -> list[Rows]:
    """Return, for each head, how each token of a name shares its attention."""
    heads = HEADS[model]
    found = looks(end_weights(model), name, heads)
    return [found[head::heads] for head in range(heads)]


@cache
def habits(model: Trained, head: int) -> HeadHabits:
    """Measure what a head does, over every letter of the held-out names."""
    found: dict[str, list[tuple[float, float]]] = {}
    spread: list[tuple[float, float]] = []
    for name in held_out():
        for place, row in enumerate(shares(model, name)[head][1:], 1):
            vowel = name[place - 1] in VOWELS
            whom = "consonants when a vowel" if vowel else "vowels when a consonant"
            others = [i for i in range(1, place) if (name[i - 1] in VOWELS) != vowel]
            for to, places in (
                ("itself", [place]),
                ("the letter before", [place - 1] if place > 1 else []),
                ("the start", [0]),
                (f"{whom} asks", others),
            ):
                if places:
                    pair = sum(row[i] for i in places), len(places) / len(row)
                    found.setdefault(to, []).append(pair)
            entropy = -sum(w * math.log(w) for w in row if w > 0)
            spread.append((math.exp(entropy), len(row)))
    return HeadHabits(
        shares=[
            Habit(to=to, share=mean(of, 0), even=mean(of, 1))
            for to, of in found.items()
        ],
        width=mean(spread, 0),
        even=mean(spread, 1),
    )


def mean(pairs: list[tuple[float, float]], which: int) -> float:
    """Return the mean of one side of the pairs, as short as a page shows it."""
    return round(sum(pair[which] for pair in pairs) / len(pairs), 3)
