"""The whole GPT in one picture: a token flows through it, and every box opens."""

from typing import TypedDict

from microgpt import load_model
from widgets._names import MAX_LETTERS_AFTER_BOS, encode_between_bos
from widgets._validation import check_range

BOXES = ["wte", "wpe", "sum", "rmsnorm", "attention_rmsnorm", "query", "key", "value"]
BOXES += ["cache", "head0", "head1", "head2", "head3", "attn_wo", "attention"]
BOXES += ["mlp_rmsnorm", "fc1", "relu", "fc2", "mlp", "lm_head", "softmax"]


class TransformerWeightsAndState(TypedDict):
    """The weights from which the page computes every box, and what it shows first.

    It reads `name` as far as `position`; `open_box` is a box's id, "" for none.
    """

    heads: int
    matrices: dict[str, list[list[float]]]
    name: str
    position: int
    open_box: str


def transformer(
    name: str, position: int | None = None, open_box: str = ""
) -> TransformerWeightsAndState:
    """Return the weights of the package's model, and what the page shows first.

    Args:
        name: The name that the model reads, of at most 15 letters.
        position: Up to which position, BOS being 0; by default the last letter.
        open_box: The box that is open, one of `BOXES`; "" for none.
    """
    if open_box not in ["", *BOXES]:
        boxes = ", ".join(BOXES)
        raise ValueError(f"open_box: expected one of {boxes}, got {open_box!r}")
    last = len(encode_between_bos(name, MAX_LETTERS_AFTER_BOS)) - 2
    position = check_range(last if position is None else position, "position", 0, last)
    model, _ = load_model()
    return TransformerWeightsAndState(
        heads=model.config.n_head,
        matrices={
            name: [[round(p.data, 5) for p in row] for row in rows]
            for name, rows in model.weights.items()
        },
        name=name,
        position=position,
        open_box=open_box,
    )
