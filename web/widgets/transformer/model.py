"""The whole GPT in one picture: a token flows through it, and every box opens."""

from collections.abc import Callable
from typing import Literal, TypedDict

from microgpt import GPT, attend, load_model, rmsnorm, softmax
from widgets._inputs import whole
from widgets._names import document
from widgets._network import end_weights
from widgets._tracing import Source, SourceFunction

LONGEST = 15  # letters: with BOS they fill the context
HEADS = {"one-end": 1, "four-end": 4, "package": 4}
FUNCTIONS: tuple[Callable[..., object], ...] = (
    *(GPT.forward, GPT.attention, attend, GPT.mlp),
    *(rmsnorm, softmax),
)
# What each box computes stands in the first of its lines; the others lead there.
LINES = {
    "wte": [("forward", "token_embedding = ")],
    "wpe": [("forward", "position_embedding = ")],
    "sum": [("forward", "x = [t + p")],
    "rmsnorm": [("rmsnorm", "return "), ("forward", "x = rmsnorm(x)")],
    "attention_rmsnorm": [("rmsnorm", "return "), ("attention", "normed = ")],
    "query": [("attention", "query = ")],
    "key": [("attention", "cache.keys.append(")],
    "value": [("attention", "cache.values.append(")],
    "cache": [("attention", "keys = "), ("attention", "values = ")],
    "head": [
        ("attend", "weights = "),
        ("attend", "return "),
        ("attention", "gathered += "),
    ],
    "attn_wo": [("attention", "output = ")],
    "attention": [("attention", "return "), ("forward", "x = self.attention(")],
    "mlp_rmsnorm": [("rmsnorm", "return "), ("mlp", "hidden = ")],
    "fc1": [("mlp", "hidden = ")],
    "relu": [("mlp", "activated = ")],
    "fc2": [("mlp", "output = ")],
    "mlp": [("mlp", "return "), ("forward", "x = self.mlp(")],
    "lm_head": [("forward", "return ")],
    "softmax": [("softmax", "return ")],
}


class BoxLine(TypedDict):
    """A line of a function that a box lights."""

    function: str
    line: int


class Transformer(TypedDict):
    """What the page needs to compute every box: the weights, and the lines they stand for.

    The page reads `name` as far as `position`; `box` is open, "" for none.
    """

    heads: int
    matrices: dict[str, list[list[float]]]
    functions: list[SourceFunction]
    lines: dict[str, list[BoxLine]]
    name: str
    position: int
    box: str


def transformer(
    name: str,
    position: int | None = None,
    box: str = "",
    model: Literal["one-end", "four-end", "package"] = "four-end",
) -> Transformer:
    """Return a trained model, to its end or the package's, the name that it reads and the open box."""
    if model not in HEADS:
        raise ValueError("model: choose one-end, four-end or package")
    heads = [f"head{head}" for head in range(HEADS[model])]
    if box and box not in {*LINES, *heads} - {"head"}:
        raise ValueError(f"box: there is no {box!r}")
    last = len(document(name, longest=LONGEST)) - 2
    at = last if position is None else whole(position, "position", 0, last)
    sources = {each.__name__: Source(each.__code__) for each in FUNCTIONS}
    return Transformer(
        heads=HEADS[model],
        matrices=matrices(model),
        functions=[source.listing() for source in sources.values()],
        lines={
            box: [
                BoxLine(function=function, line=sources[function].line(begins))
                for function, begins in places
            ]
            for box, places in LINES.items()
        },
        name=name,
        position=at,
        box=box,
    )


def matrices(model: str) -> dict[str, list[list[float]]]:
    """Return the weights of a model by matrix, to five digits."""
    if model != "package":
        return end_weights(model)
    return {
        name: [[round(p.data, 5) for p in row] for row in rows]
        for name, rows in load_model()[0].weights.items()
    }
