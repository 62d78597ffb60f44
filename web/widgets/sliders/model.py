"""Small scenes to try things out in, which the browser computes."""

from typing import Literal, TypedDict

from microgpt import load_names

Scene = Literal["tug", "race", "dot product", "nudge"]


class Sliders(TypedDict):
    """How many names a program shuffles before it draws its first weights."""

    shuffled_count: int


def sliders(scene: Scene) -> Sliders:
    """Return the number from which the browser draws the weights of a scene."""
    return Sliders(shuffled_count=len(load_names()))
