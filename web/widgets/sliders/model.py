"""Small scenes to try things out in, which the browser computes."""

from typing import Literal, TypedDict

from microgpt import load_names

Scene = Literal["tug", "race", "dot product", "nudge"]


class Sliders(TypedDict):
    """How many names are shuffled before the first weights are drawn."""

    names: int


def sliders(scene: Scene) -> Sliders:
    """Return what the browser computes a scene from."""
    return Sliders(names=len(load_names()))
