"""One thing to slide and one to watch: small scenes, which the browser computes."""

from typing import Literal, TypedDict, get_args

from microgpt import load_names
from widgets._names import token_names
from widgets._network import network_weights
from widgets._numbers import significant

Scene = Literal[
    "coin",
    "rate",
    "fog",
    "slopes",
    "desk",
    "tug",
    "paths",
    "race",
    "dot product",
    "softmax",
    "embeddings",
    "nudge",
]


class Sliders(TypedDict):
    """The tokens, and how many names are shuffled before the first weights are drawn.

    Where embeddings are shown, there are also those that the network has learnt.
    """

    tokens: list[str]
    names: int
    embeddings: list[list[float]]


def sliders(scene: Scene) -> Sliders:
    """Return what the browser computes a scene from."""
    if scene not in get_args(Scene):
        *others, last = get_args(Scene)
        raise ValueError(f"scene: choose {', '.join(others)} or {last}")
    shows = scene in ("dot product", "embeddings")
    learnt = network_weights("trained")["wte"] if shows else []
    return Sliders(
        tokens=token_names(),
        names=len(load_names()),
        embeddings=[[significant(x, 3) for x in row] for row in learnt],
    )
