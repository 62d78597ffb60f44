"""One thing to slide and one to watch: small scenes, which the browser computes."""

from typing import Literal, TypedDict, get_args

from microgpt import load_names
from widgets._names import token_names

Scene = Literal["coin", "rate", "fog", "slopes", "desk", "tug", "paths", "race"]


class Sliders(TypedDict):
    """The tokens, and how many names are shuffled before the first weights are drawn."""

    tokens: list[str]
    names: int


def sliders(scene: Scene) -> Sliders:
    """Return what the browser computes a scene from."""
    if scene not in get_args(Scene):
        *others, last = get_args(Scene)
        raise ValueError(f"scene: choose {', '.join(others)} or {last}")
    return Sliders(tokens=token_names(), names=len(load_names()))
