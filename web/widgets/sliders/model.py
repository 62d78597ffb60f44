"""One thing to slide and one to watch: small scenes, which the browser computes."""

from itertools import pairwise
from typing import Literal, TypedDict, get_args

from snippets import step1
from widgets._names import token_names, tokenizer_of_the_names
from widgets._network import network_weights
from widgets._numbers import significant

NAME = "emma"
LETTER = "m"  # the one whose embedding is on the desk
COLUMNS = (3, 7, 9, 12, 13, 15)  # their best places are far apart

Scene = Literal[
    "coin", "rate", "fog", "slopes", "desk", "temperature", "tug", "paths", "race"
]


class Desk(TypedDict):
    """What the loss of a name depends on while one letter's embedding is moved.

    `x` is that embedding, `columns` are its numbers on the desk. `targets` are the tokens
    that follow the letter in the name. The other pairs don't see it: `rest` is the sum of
    their losses, and `pairs` the number of all.
    """

    letter: str
    columns: list[int]
    x: list[float]
    fc1: list[list[float]]
    fc2: list[list[float]]
    targets: list[int]
    rest: float
    pairs: int


class Sliders(TypedDict):
    """What a scene needs: `desk` for the desk, `logits` for the temperature.

    `logits` has the trained network's logits after each token. What isn't needed is None.
    """

    tokens: list[str]
    desk: Desk | None
    logits: list[list[float]] | None


def sliders(scene: Scene) -> Sliders:
    """Return what the browser computes a scene from."""
    if scene not in get_args(Scene):
        *others, last = get_args(Scene)
        raise ValueError(f"scene: choose {', '.join(others)} or {last}")
    return Sliders(
        tokens=token_names(),
        desk=desk() if scene == "desk" else None,
        logits=logits() if scene == "temperature" else None,
    )


def desk() -> Desk:
    """Return the untrained network, as far as the embedding of one letter matters."""
    tokenizer, weights = tokenizer_of_the_names(), network_weights("untrained")
    tokens = tokenizer.document(NAME)
    (letter,) = tokenizer.encode(LETTER)
    pairs = list(pairwise(tokens))
    rest = [step1.mean_loss(list(pair), weights) for pair in pairs if pair[0] != letter]
    return Desk(
        letter=LETTER,
        columns=list(COLUMNS),
        x=rounded(weights["wte"][letter]),
        fc1=[rounded(row) for row in weights["fc1"]],
        fc2=[rounded(row) for row in weights["fc2"]],
        targets=[target for token, target in pairs if token == letter],
        rest=significant(sum(rest), 6),
        pairs=len(pairs),
    )


def logits() -> list[list[float]]:
    """Return what the trained network says after each token."""
    weights = network_weights("trained")
    tokens = range(len(token_names()))
    # A digit less, and a random number falls on another letter now and then.
    return [rounded(step1.forward(token, weights), 6) for token in tokens]


def rounded(numbers: list[float], digits: int = 4) -> list[float]:
    """Return numbers with as many digits as the page needs."""
    return [significant(number, digits) for number in numbers]
