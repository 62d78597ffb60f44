"""The whole GPT in one picture: a token flows through it, and every box opens."""

from typing import TypedDict

from microgpt import load_model
from widgets._inputs import whole
from widgets._names import document

LONGEST = 15  # letters: with BOS they fill the context
BOXES = ["wte", "wpe", "sum", "rmsnorm", "attention_rmsnorm", "query", "key", "value"]
BOXES += ["cache", "head0", "head1", "head2", "head3", "attn_wo", "attention"]
BOXES += ["mlp_rmsnorm", "fc1", "relu", "fc2", "mlp", "lm_head", "softmax"]


class Transformer(TypedDict):
    """What the page needs to compute every box: the weights of a model with `heads`.

    The page reads `name` as far as `position`; `box` is open, "" for none.
    """

    heads: int
    matrices: dict[str, list[list[float]]]
    name: str
    position: int
    box: str


def transformer(name: str, position: int | None = None, box: str = "") -> Transformer:
    """Return the package's model, the name that it reads and the open box."""
    if box not in ["", *BOXES]:
        raise ValueError(f"box: there is no {box!r}")
    last = len(document(name, longest=LONGEST)) - 2
    model, _ = load_model()
    return Transformer(
        heads=model.config.n_head,
        matrices={
            name: [[round(p.data, 5) for p in row] for row in rows]
            for name, rows in model.weights.items()
        },
        name=name,
        position=last if position is None else whole(position, "position", 0, last),
        box=box,
    )
