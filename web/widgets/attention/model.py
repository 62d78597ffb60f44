"""Who listens to whom in a name: the arcs of a head, and every number behind one."""

from typing import Literal, TypedDict

from microgpt import Config
from widgets._inputs import whole
from widgets._names import document, shuffled_names
from widgets._network import end_weights

Trained = Literal["one-end", "four-end"]

LONGEST = Config().block_size - 1  # letters, after BOS
HEADS: dict[Trained, int] = {"one-end": 1, "four-end": 4}
NEEDED = ["wte", "wpe", *(f"layer0.attn_w{to}" for to in "qkv")]


class Attention(TypedDict):
    """What a page needs to read a name: weights, and how they were before training.

    These are the first numbers drawn after so many `names` were shuffled.
    """

    heads: int
    matrices: dict[str, list[list[float]]]
    names: int


def attention(
    name: str,
    model: Trained,
    head: int = 0,
    asks: int = -1,
) -> Attention:
    """Return the weights; all else is what the page opens with.

    `asks` is the token that looks back, counted from BOS, which is 0; −1 is the last.
    """
    whole(head, "head", 0, HEADS[model] - 1)
    whole(asks, "asks", -1, len(document(name, LONGEST)) - 2)
    return Attention(
        heads=HEADS[model],
        matrices={each: end_weights(model)[each] for each in NEEDED},
        names=len(shuffled_names()),
    )
