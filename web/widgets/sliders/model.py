"""One thing to slide and one to watch: small scenes, which the browser computes."""

from typing import Literal, TypedDict, get_args

from microgpt import load_names
from widgets._names import token_names
from widgets._network import network_logits

Scene = Literal[
    "coin", "rate", "fog", "slopes", "desk", "temperature", "tug", "paths", "race"
]


class Sliders(TypedDict):
    """The tokens, how many names are shuffled before the first weights are drawn, and logits.

    `logits` has the trained network's after each token; only the temperature needs them.
    """

    tokens: list[str]
    names: int
    logits: list[list[float]] | None


def sliders(scene: Scene) -> Sliders:
    """Return what the browser computes a scene from."""
    if scene not in get_args(Scene):
        *others, last = get_args(Scene)
        raise ValueError(f"scene: choose {', '.join(others)} or {last}")
    return Sliders(
        tokens=token_names(),
        names=len(load_names()),
        logits=network_logits() if scene == "temperature" else None,
    )
