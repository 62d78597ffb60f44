"""The network of Step 1: a letter goes through it, and the slopes of the loss come back."""

from __future__ import annotations

from typing import Literal, TypedDict, get_args

from widgets._network import State
from widgets.network.dot_product import DotProduct, dot_product
from widgets.network.flow import Flow, Stage, flow
from widgets.network.maps import WeightMatrices, maps
from widgets.network.nudge import Nudges, nudge
from widgets.network.softmax import Logits, softmax

Panel = Literal["", "name", "dot product", "softmax", "nudge", "parameters", "lines"]
Only = Literal["", "flow", "dot product", "softmax", "nudge", "parameters"]


class Network(TypedDict):
    """What is shown: the flow, or a panel, or both; what isn't there is None.

    `open` is the panel that is open at first.
    """

    open: Panel
    flow: Flow | None
    dot_product: DotProduct | None
    softmax: Logits | None
    nudge: Nudges | None
    maps: WeightMatrices | None


def network(
    name: str = "emma",
    pair: int = 1,
    weights: State = "untrained",
    at: Stage = "start",
    open: Panel = "",
    only: Only = "",
    w: list[float] | None = None,
    x: list[float] | None = None,
    logits: list[float] | None = None,
    added: int = 0,
    subtract: bool = True,
    matrix: str = "wte",
    row: int = 4,
    column: int = 12,
) -> Network:
    """Compute the flow of a name, and what the panel `open` shows; or `only` one of both."""
    if open not in get_args(Panel):
        raise ValueError(f"open: choose one of {', '.join(get_args(Panel)[1:])}")
    if only not in get_args(Only):
        raise ValueError(f"only: choose one of {', '.join(get_args(Only)[1:])}")
    shown = only or open
    return Network(
        open=open,
        flow=flow(name, pair, weights, at) if only in ("", "flow") else None,
        dot_product=dot_product(w, x) if shown == "dot product" else None,
        softmax=softmax(logits, added, subtract) if shown == "softmax" else None,
        nudge=nudge(name, weights, matrix, row, column) if shown == "nudge" else None,
        maps=maps(matrix, row, column) if shown == "parameters" else None,
    )
