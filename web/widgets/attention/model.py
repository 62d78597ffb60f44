"""Who listens to whom in a name: the arcs of a head, and every number behind one."""

from typing import Literal, TypedDict

from widgets._names import MAX_LETTERS_AFTER_BOS, encode_between_bos, shuffled_names
from widgets._validation import check_range
from widgets._weights import load_weights

TrainedModel = Literal["one-end", "four-end"]

HEADS_BY_MODEL: dict[TrainedModel, int] = {"one-end": 1, "four-end": 4}
MATRIX_NAMES = ["wte", "wpe", *(f"layer0.attn_w{letter}" for letter in "qkv")]


class TrainedMatrices(TypedDict):
    """The trained weights with which a page reads a name.

    The page draws the untrained ones itself: they are the first random numbers after
    a shuffle of `shuffled_count` names.
    """

    heads: int
    matrices: dict[str, list[list[float]]]
    shuffled_count: int


def attention(
    name: str, model: TrainedModel, head: int = 0, query_position: int = -1
) -> TrainedMatrices:
    """Return the weights of a model, and check what the page shows first.

    Args:
        name: The name that is read, of at most 15 letters.
        model: Which trained GPT reads it.
        head: The head that is shown.
        query_position: The query that is shown: BOS is 0, and −1 the last letter.
    """
    check_range(head, "head", 0, HEADS_BY_MODEL[model] - 1)
    last = len(encode_between_bos(name, MAX_LETTERS_AFTER_BOS)) - 2
    check_range(query_position, "query_position", -1, last)
    return TrainedMatrices(
        heads=HEADS_BY_MODEL[model],
        matrices={each: load_weights(model)[each] for each in MATRIX_NAMES},
        shuffled_count=len(shuffled_names()),
    )
