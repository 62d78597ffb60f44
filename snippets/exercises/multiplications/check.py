"""Checks a count of multiplications against models at work."""

import random

from microgpt import GPT, Config, Value, topological_order
from snippets.exercises import Hint, Program, function

SIZES = [
    (Config(5, n_layer=1, n_embd=4, n_head=2, block_size=8), 3),
    (Config(7, n_layer=3, n_embd=8, n_head=4, block_size=8), 5),
]


def check(program: Program) -> None:
    """Compare, and tell by the number what is missing or too much."""
    own = function(program, "multiplications")
    found = [own(config, length) for config, length in SIZES]
    if not all(isinstance(number, int) for number in found):
        raise Hint("Return a whole number.")
    true = [counted(config, length) for config, length in SIZES]
    if found == true:
        return
    known = [mistakes(config, length) for config, length in SIZES]
    for hint in known[0]:
        if found in (
            [*some] for some in zip(*(k[hint] for k in known))
        ):
            raise Hint(hint)
    raise Hint(
        f"For two small models the number is not right: reading {SIZES[0][1]} tokens the "
        f"first one multiplies {true[0]} times, and this gives {found[0]}."
    )


def mistakes(config: Config, length: int) -> dict[str, list[int]]:
    """Return what usual mistakes make of the number."""
    true, width, layers = (
        counted(config, length),
        config.n_embd,
        config.n_layer,
    )
    pairs = length * (length + 1) // 2
    lm_head = length * width * config.vocab_size
    square = length * width**2
    scores = width * pairs
    parameters = length * config.num_parameters
    return {
        "This counts four matrices in each layer. Look at Config.shapes: which "
        "others does a token go through?": [layers * 4 * square],
        "The MLP is missing: it has two matrices in each layer, four times as long on "
        "one side.": [true - layers * 8 * square],
        "One of the two matrices of the MLP is missing: the one back to the width "
        "costs as much as the other.": [true - layers * 4 * square],
        "The last layer is missing: lm_head makes a logit for each token of the "
        "vocabulary.": [true - lm_head],
        "lm_head stands at the end of the model, not at the end of each layer.": [
            true + (layers - 1) * lm_head
        ],
        "Every layer has matrices of its own, and attention of its own: this counts "
        "one layer.": [12 * square + 2 * scores + lm_head],
        "All linear layers are there. What is missing is in attention: each query "
        "meets keys, and the weights meet values.": [
            true - layers * 2 * scores
        ],
        "Attention multiplies twice: queries with keys, then weights with values. One "
        "of the two is missing.": [true - layers * scores],
        "The first token finds one key in the cache, the second two. This lets each "
        "of them meet all.": [
            true + layers * 2 * width * (length**2 - pairs)
        ],
        "A token also meets its own key: the first one finds one key in the cache, "
        "not none.": [true - layers * 2 * width * length],
        "A head has a part of the width only, so all heads together cost as much as "
        "one over the whole width.": [
            true + layers * 2 * scores * (config.n_head - 1)
        ],
        "This takes every parameter once for each token. A row of wte or of wpe is "
        "looked up and multiplied by nothing.": [
            parameters,
            parameters + layers * 2 * scores,
        ],
        "This counts as if there were one token. All of them are read.": [
            counted(config, 1)
        ],
        "This is twice the number. Count the multiplications alone.": [
            2 * true
        ],
    }


def counted(config: Config, length: int) -> int:
    """Let a model read; count what its linear layers and attention multiply."""
    gpt = GPT(config, random.Random(1))
    cache = gpt.new_cache()
    logits = [gpt.forward(0, cache) for _ in range(length)]
    total = 0
    for node in topological_order(
        Value.sum(x for row in logits for x in row)
    ):
        count = len(node._children) // 2
        # RMSNorm's product of a vector with itself is left out.
        if (
            node._op == "dot"
            and node._children[:count] != node._children[count:]
        ):
            total += count
    return total
