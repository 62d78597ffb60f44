"""Small scenes to try things out in, which the browser computes."""

from typing import Literal, TypedDict

from microgpt import load_names
from widgets._network import network_weights
from widgets._numbers import significant

Scene = Literal["tug", "race", "dot product", "embeddings", "nudge"]


class Sliders(TypedDict):
    """How many names are shuffled before the first weights are drawn.

    Where embeddings are shown, there are also those that the network has learnt.
    """

    names: int
    embeddings: list[list[float]]


def sliders(scene: Scene) -> Sliders:
    """Return what the browser computes a scene from."""
    learnt = network_weights("trained")["wte"] if scene == "embeddings" else []
    return Sliders(
        names=len(load_names()),
        embeddings=[[significant(x, 3) for x in row] for row in learnt],
    )
