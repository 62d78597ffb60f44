"""Checks a formula for the number of parameters of a GPT."""

from itertools import product

from microgpt import Config
from snippets.exercises import Hint, Program, function

SIZES = [
    (27, 16, 16, 1),
    *product((27, 65, 50257), (16, 24, 768), (16, 1024), (1, 2, 12)),
]


def check(program: Program) -> None:
    """Compare the formula with the shapes of the package's matrices."""
    formula = function(program, "count_parameters")
    for vocab_size, n_embd, block_size, n_layer in SIZES:
        config = Config(
            vocab_size, n_layer, n_embd, n_head=1, block_size=block_size
        )
        shapes = config.shapes().values()
        expected = sum(rows * columns for rows, columns in shapes)
        found = formula(vocab_size, n_embd, block_size, n_layer)
        if found is None:
            raise Hint("Return the number.")
        if found != expected:
            explain(found, expected, config)


def explain(found: float, expected: int, config: Config) -> None:
    """Say which matrices were probably miscounted."""
    width, layers = config.n_embd, config.n_layer
    token_rows = config.vocab_size * width
    position_rows = config.block_size * width
    layer = 12 * width**2
    outside = 2 * token_rows + position_rows
    mistakes = {
        "One matrix with a row for each token is missing: there are two, wte at the "
        "beginning and lm_head at the end.": expected - token_rows,
        "The positions are missing: wpe has a row for each place of the context.": expected
        - position_rows,
        "The embeddings and lm_head are right. Now add what is in a layer, and count "
        "it once for each.": outside,
        "Only what is in a layer comes once for each layer. The embeddings and "
        "lm_head are there once.": layers * (outside + layer),
        f"This is right for one layer, and here there are {layers}.": outside
        + layer,
    }
    for hint, mistake in mistakes.items():
        if found == mistake:
            raise Hint(hint)
    squares, rest = divmod(found - outside, layers * width**2)
    if rest == 0 and 0 < squares < 12:
        raise Hint(
            f"The embeddings and lm_head are right. You count {squares:g} times the "
            "square of the width in a layer: attention has four matrices of that size, "
            "and each of the two in the MLP is four times as large."
        )
    raise Hint(
        f"With {config.vocab_size} tokens, width {width}, context {config.block_size} "
        f"and layers: {layers}, the package has {expected} parameters. Your formula "
        f"gives {found:g}."
    )
