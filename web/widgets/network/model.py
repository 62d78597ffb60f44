"""The network of Step 1: the browser computes all of it from these weights."""

from typing import TypedDict, get_args

from widgets._inputs import whole
from widgets._names import document
from widgets._network import State, network_weights
from widgets._numbers import significant

FORTH = ["start", "x", "hidden", "activated", "logits", "probabilities", "loss"]
BACK = ["d_logits", "d_activated", "d_hidden", "d_x", "end"]


class Network(TypedDict):
    """What the page computes from, and how it stands at first.

    `weights` has the matrices of each state. `stages` are those that the flow goes
    through; the way back is left out of a flow that begins on the way there. `pair`
    counts from 1.
    """

    weights: dict[str, dict[str, list[list[float]]]]
    name: str
    pair: int
    state: State
    at: str
    stages: list[str]


def network(
    name: str = "emma",
    pair: int = 1,
    weights: State = "untrained",
    at: str = "start",
) -> Network:
    """Return the weights, and where the flow of a name begins."""
    if at not in FORTH + BACK:
        raise ValueError(f"at: choose one of {', '.join(FORTH + BACK)}")
    return Network(
        weights={
            each: {
                key: [[significant(w, 5) for w in row] for row in rows]
                for key, rows in network_weights(each).items()
            }
            for each in get_args(State)
        },
        name=name.strip().lower(),
        pair=whole(pair, "pair", 1, len(document(name)) - 1),
        state=weights,
        at=at,
        stages=FORTH if at in FORTH else FORTH + BACK,
    )
