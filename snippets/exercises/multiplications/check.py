"""Checks a count of multiplications against models at work."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from microgpt import GPT, Config, attention, model, nn
from microgpt.autograd import Value
from microgpt.nn import Matrix, Vector
from snippets.exercises import Hint, Program, function

SIZES = [
    (Config(5, n_layer=1, n_embd=4, n_head=2, block_size=8), 3),
    (Config(7, n_layer=3, n_embd=8, n_head=4, block_size=8), 5),
]


def check(program: Program) -> None:
    """Compare, and tell by the difference what is missing or too much."""
    own = function(program, "multiplications")
    found = [own(config, length) for config, length in SIZES]
    if not all(isinstance(number, int) for number in found):
        raise Hint("Return a whole number.")
    true = [counted(config, length) for config, length in SIZES]
    if found == true:
        return
    raise explained(found, true)


def explained(found: list[int], true: list[int]) -> Hint:
    """Return the mistake that would give these numbers."""

    def off_by(*parts: str, sign: int = -1) -> bool:
        """Tell whether these parts are what is missing, or too much."""
        return found == [
            number + sign * sum(pieces(*size)[part] for part in parts)
            for number, size in zip(true, SIZES)
        ]

    if off_by("mlp", "lm_head", "scores", "values"):
        return Hint(
            "This counts four matrices in each layer. Look at Config.shapes: which "
            "others does a token go through?"
        )
    if off_by("mlp"):
        return Hint(
            "The MLP is missing: it has two matrices in each layer, four times as long on "
            "one side."
        )
    if off_by("half of the mlp"):
        return Hint(
            "One of the two matrices of the MLP is missing: the one back to the width "
            "costs as much as the other."
        )
    if off_by("lm_head"):
        return Hint(
            "The last layer is missing: lm_head makes a logit for each token of the "
            "vocabulary."
        )
    if off_by("lm_head of other layers", sign=1):
        return Hint(
            "lm_head stands at the end of the model, not at the end of each layer."
        )
    if off_by("other layers"):
        return Hint(
            "Every layer has matrices of its own, and attention of its own: this counts "
            "one layer."
        )
    if off_by("scores", "values"):
        return Hint(
            "All linear layers are there. What is missing is in attention: each query "
            "meets keys, and the weights meet values."
        )
    if off_by("scores"):
        return Hint(
            "Attention multiplies twice: queries with keys, then weights with values. One "
            "of the two is missing."
        )
    if off_by("later keys", sign=1):
        return Hint(
            "The first token finds one key in the cache, the second two. This lets each "
            "of them meet all."
        )
    if off_by("own key"):
        return Hint(
            "A token also meets its own key: the first one finds one key in the cache, "
            "not none."
        )
    if off_by("other heads", sign=1):
        return Hint(
            "A head has a part of the width only, so all heads together cost as much as "
            "one over the whole width."
        )
    if off_by("tables", sign=1) or found == [
        length * config.num_parameters for config, length in SIZES
    ]:
        return Hint(
            "This takes every parameter once for each token. A row of wte or of wpe is "
            "looked up and multiplied by nothing."
        )
    if found == [counted(config, 1) for config, _ in SIZES]:
        return Hint(
            "This counts as if there were one token. All of them are read."
        )
    if found == [2 * number for number in true]:
        return Hint(
            "This is twice the number. Count the multiplications alone."
        )
    return Hint(
        f"For two small models the number is not right: reading {SIZES[0][1]} tokens the "
        f"first one multiplies {true[0]} times, and this gives {found[0]}."
    )


def pieces(config: Config, length: int) -> dict[str, int]:
    """Return what parts of the count would be, those that are wrong among them."""
    width, layers = config.n_embd, config.n_layer
    pairs = length * (length + 1) // 2
    lm_head = length * width * config.vocab_size
    layer = length * 12 * width**2 + 2 * width * pairs
    return {
        "mlp": layers * length * 8 * width**2,
        "half of the mlp": layers * length * 4 * width**2,
        "lm_head": lm_head,
        "lm_head of other layers": (layers - 1) * lm_head,
        "other layers": (layers - 1) * layer,
        "scores": layers * width * pairs,
        "values": layers * width * pairs,
        "later keys": layers * 2 * width * (length**2 - pairs),
        "own key": layers * 2 * width * length,
        "other heads": layers * 2 * width * pairs * (config.n_head - 1),
        "tables": length
        * width
        * (config.vocab_size + config.block_size),
    }


def counted(config: Config, length: int) -> int:
    """Let a model read, and count its multiplications."""
    gpt = GPT(config, random.Random(1))
    with counting() as total:
        cache = gpt.new_cache()
        for _ in range(length):
            gpt.forward(0, cache)
    return sum(total)


@contextmanager
def counting() -> Iterator[list[int]]:
    """Note the length of each dot product in linear layers and in attention."""
    lengths: list[int] = []

    def dot(a: Vector, b: Vector) -> Value:
        lengths.append(len(a))
        return nn.dot(a, b)

    def linear(x: Vector, weight: Matrix) -> Vector:
        return [dot(row, x) for row in weight]

    inside = vars(model), vars(attention)
    before = inside[0]["linear"], inside[1]["dot"]
    inside[0]["linear"], inside[1]["dot"] = linear, dot
    try:
        yield lengths
    finally:
        inside[0]["linear"], inside[1]["dot"] = before
