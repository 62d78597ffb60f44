"""The network of Step 1: the browser computes all of it from these weights."""

from typing import Literal, TypedDict, get_args

from snippets import step1
from widgets._inputs import whole
from widgets._listing import LitListing, lit_listing
from widgets._names import document
from widgets._network import State, network_weights
from widgets._numbers import significant

FUNCTIONS = (step1.mean_loss, step1.forward, step1.softmax, step1.analytic_gradient)
# Where each stage is computed: in which function, and how the line begins
LINES = {
    "start": ("mean_loss", "for "),
    "x": ("forward", "x = "),
    "hidden": ("forward", "hidden = "),
    "activated": ("forward", "activated = "),
    "logits": ("forward", "return "),
    "probabilities": ("softmax", "return "),
    "loss": ("mean_loss", "losses.append("),
    "d_logits": ("analytic_gradient", "d_logits[target] -= "),
    "d_activated": ("analytic_gradient", "d_activated = "),
    "d_hidden": ("analytic_gradient", "d_hidden = "),
    "d_x": ("analytic_gradient", "d_x = "),
    "end": ("analytic_gradient", "gradient['wte'][token][j] += "),
}
STAGES = list(LINES)
LOSS = STAGES.index("loss")


class Network(TypedDict):
    """What the page computes from, and how it stands at first.

    `weights` has the matrices of each state. `stages` are those that the flow goes
    through; the way back is left out of a flow that begins on the way there. `listing`
    has a line for each. `pair` counts from 1.
    """

    weights: dict[str, dict[str, list[list[float]]]]
    name: str
    pair: int
    state: State
    at: str
    stages: list[str]
    listing: LitListing | None


def network(
    name: str = "emma",
    pair: int = 1,
    weights: State = "untrained",
    at: str = "start",
    open: Literal["", "lines"] = "",
) -> Network:
    """Return the weights, and where the flow of a name begins."""
    if at not in STAGES:
        raise ValueError(f"at: choose one of {', '.join(STAGES)}")
    call = ("mean_loss", "probabilities = ")
    calls = {"forward": call, "softmax": call}
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
        stages=STAGES if STAGES.index(at) > LOSS else STAGES[: LOSS + 1],
        listing=lit_listing(FUNCTIONS, [*LINES.values()], calls) if open else None,
    )
