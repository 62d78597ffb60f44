"""Small scenes to try things out in, which the browser computes."""

from typing import Literal, TypedDict

from microgpt import load_names

SceneName = Literal["tug", "race", "dot product", "nudge"]


class ShuffledNameCount(TypedDict):
    """How many names a program shuffles before it draws its first weights."""

    shuffled_count: int


def sliders(scene: SceneName) -> ShuffledNameCount:
    """Return what the browser needs to draw the initial weights of a scene."""
    return ShuffledNameCount(shuffled_count=len(load_names()))
