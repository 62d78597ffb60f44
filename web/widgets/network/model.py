"""The network of Step 1: the browser computes all of it from these weights."""

from typing import TypedDict, get_args

from widgets._names import encode_between_bos
from widgets._validation import check_range
from widgets._weights import TrainedOrNot, network_weights, round_significant

FORWARD_STAGES = ["start", "x", "hidden", "activated", "logits", "probabilities"]
FORWARD_STAGES += ["loss"]
BACKWARD_STAGES = ["d_logits", "d_activated", "d_hidden", "d_x", "end"]


class NetworkWeightsAndState(TypedDict):
    """The weights from which the page computes, and what it shows first.

    `weights` has the matrices of each state. `stages` are those of the player; a widget
    that begins on the way forward has no way back. `pair` counts from 1.
    """

    weights: dict[str, dict[str, list[list[float]]]]
    name: str
    pair: int
    weights_state: TrainedOrNot
    stage: str
    stages: list[str]


def network(
    name: str = "emma",
    pair: int = 1,
    weights: TrainedOrNot = "untrained",
    shown_stage: str = "start",
) -> NetworkWeightsAndState:
    """Return the weights, and what the page shows first.

    Args:
        name: The name whose pairs go through the network.
        pair: Which of its pairs, counted from 1.
        weights: Whether it has its initial or its trained weights.
        shown_stage: The stage that the pair has reached.
    """
    all_stages = FORWARD_STAGES + BACKWARD_STAGES
    if shown_stage not in all_stages:
        stages = ", ".join(all_stages)
        raise ValueError(f"shown_stage: expected one of {stages}, got {shown_stage!r}")
    return NetworkWeightsAndState(
        weights={
            state: {
                key: [[round_significant(w, 5) for w in row] for row in rows]
                for key, rows in network_weights(state).items()
            }
            for state in get_args(TrainedOrNot)
        },
        name=name.strip().lower(),
        pair=check_range(pair, "pair", 1, len(encode_between_bos(name)) - 1),
        weights_state=weights,
        stage=shown_stage,
        stages=all_stages if shown_stage in BACKWARD_STAGES else FORWARD_STAGES,
    )
