"""Small scenes to try things out in, which the browser computes."""

from typing import Literal, TypedDict

from microgpt import load_names

Scene = Literal["tug", "race", "dot product", "nudge"]


class ShuffleBeforeInitialWeights(TypedDict):
    """How many names a program shuffles before it draws its first weights."""

    shuffled_count: int


def sliders(scene: Scene) -> ShuffleBeforeInitialWeights:
    """Return what the browser needs to draw the initial weights of a scene."""
    return ShuffleBeforeInitialWeights(shuffled_count=len(load_names()))
