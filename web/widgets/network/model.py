"""The network of Step 1: the browser computes all of it from these weights."""

from typing import Literal, TypedDict, get_args

from snippets import step1
from widgets._inputs import whole
from widgets._names import document, token_names
from widgets._network import State, network_weights
from widgets._numbers import significant
from widgets._tracing import Source, SourceFunction

Only = Literal["flow", "dot product", "softmax", "nudge", "parameters"]
Stage = Literal[
    "start",
    "x",
    "hidden",
    "activated",
    "logits",
    "probabilities",
    "loss",
    "d_logits",
    "d_activated",
    "d_hidden",
    "d_x",
    "end",
]
STAGES: tuple[Stage, ...] = get_args(Stage)
FUNCTIONS = (
    step1.mean_loss,
    step1.forward,
    step1.softmax,
    step1.analytic_gradient,
)
LOSS = STAGES.index("loss")
# Where each stage is computed: in which function, and how the line begins
LINES: dict[Stage, tuple[str, str]] = {
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
# The weights that each part is computed from, and how many digits of them
DIGITS = {"flow": 5, "dot product": 3, "nudge": 6, "parameters": 3}


class LitLine(TypedDict):
    """The line that computes a stage, and the one that has called its function."""

    line: int
    waiting: list[int]


class Network(TypedDict):
    """What the page computes from, and how it stands at first.

    `weights` has the matrices of each state that can be chosen. `stages` are those that
    the flow goes through, and `lit` their lines; the way back is left out of a flow that
    begins on the way there. `pair` counts from 1.
    """

    tokens: list[str]
    weights: dict[str, dict[str, list[list[float]]]]
    name: str
    pair: int
    state: State
    at: Stage
    lines: bool
    stages: list[Stage]
    file: str
    functions: list[SourceFunction]
    lit: list[LitLine]
    matrix: str
    row: int
    column: int


def network(
    name: str = "emma",
    pair: int = 1,
    weights: State = "untrained",
    at: Stage = "start",
    open: Literal["", "lines"] = "",
    only: Only = "flow",
    w: list[float] | None = None,
    x: list[float] | None = None,
    logits: list[float] | None = None,
    matrix: str = "wte",
    row: int = 4,
    column: int = 12,
) -> Network:
    """Return the weights, and where to begin: in the flow of a name, or in one part `only`."""
    for key, value, known in (("only", only, Only), ("at", at, Stage)):
        if value not in get_args(known):
            raise ValueError(f"{key}: choose one of {', '.join(get_args(known))}")
    if open not in ("", "lines"):
        raise ValueError("open: choose lines")
    if len(w or []) != len(x or []):
        raise ValueError("the two vectors need as many numbers")
    if only == "softmax" and not logits:
        raise ValueError("logits: softmax needs some")
    tokens, matrices = document(name), network_weights(weights)
    if matrix not in matrices:
        raise ValueError(f"matrix: choose one of {', '.join(matrices)}")
    sources = {each.__name__: Source(each.__code__) for each in FUNCTIONS}
    asks = sources["mean_loss"].line("probabilities = ")
    stages = STAGES if STAGES.index(at) > LOSS else STAGES[: LOSS + 1]
    flows = only == "flow"
    return Network(
        tokens=token_names(),
        weights=matrices_of(only, weights),
        name=name.strip().lower(),
        pair=whole(pair, "pair", 1, len(tokens) - 1),
        state=weights,
        at=at,
        lines=open == "lines",
        stages=list(stages),
        file=sources["mean_loss"].file,
        functions=[each.listing() for each in sources.values() if flows],
        lit=[
            LitLine(
                line=sources[function].line(begins),
                waiting=[asks] if function in ("forward", "softmax") else [],
            )
            for function, begins in LINES.values()
            if flows
        ],
        matrix=matrix,
        row=whole(row, f"row of {matrix}", 0, len(matrices[matrix]) - 1),
        column=whole(column, f"column of {matrix}", 0, len(matrices[matrix][0]) - 1),
    )


def matrices_of(only: Only, state: State) -> dict[str, dict[str, list[list[float]]]]:
    """Return what a part is computed from: of one state or of both, and not of more matrices."""
    states: dict[Only, tuple[State, ...]] = {
        "softmax": (),
        "dot product": ("trained",),
        "nudge": (state,),
    }
    return {
        each: {
            key: [[significant(w, DIGITS[only]) for w in row] for row in matrix]
            for key, matrix in network_weights(each).items()
            if key == "wte" or only != "dot product"
        }
        for each in states.get(only, get_args(State))
    }
