"""How much a training step has to compute, and to move, whoever computes it.

A FLOP is an addition or a multiplication of two numbers. The counts follow from the
sizes of the model alone.
"""

from microgpt import Config

ADAM = 16  # for each parameter, counted in `Adam.step`
# Reads of each weight: forward and backward. Its gradient is written once; Adam reads
# gradient, weight and both means, and writes all but the gradient.
MOVES = 10
FLOAT64 = 8  # bytes


def matrix_multiplications(config: Config, positions: int) -> int:
    """Return how many multiplications matrices take on the way forward.

    In each layer four matrices of width², and two of 4·width²; then the logits.
    """
    width = config.n_embd
    per_position = config.n_layer * 12 * width**2 + config.vocab_size * width
    return positions * per_position


def attention_multiplications(config: Config, positions: int) -> int:
    """Return how many multiplications queries with keys take, and weights with values.

    Position t meets t positions, in all heads together width numbers each, twice.
    """
    met = positions * (positions + 1) // 2
    return config.n_layer * 2 * met * config.n_embd


def flops(config: Config, positions: int) -> int:
    """Return the FLOPs of a step with one document, those of Adam left out.

    Each multiplication in a dot product comes with an addition, and on the way back two
    derivatives, which are a product and a sum each: 2 + 4.
    """
    return 6 * (
        matrix_multiplications(config, positions)
        + attention_multiplications(config, positions)
    )


def step_flops(config: Config, positions: int, batch: int = 1) -> int:
    """Return the FLOPs of a step with a batch of documents of one length."""
    return batch * flops(config, positions) + ADAM * config.num_parameters


def step_bytes(config: Config, positions: int, batch: int = 1) -> int:
    """Return the bytes that a step moves at least: each number once per use.

    The weights take as many, whatever the batch. Of a document's activations, forward
    writes what each matrix gives, backward reads it and as many derivatives, and writes
    these: 4 moves. Per layer: query, key, value, gathered, output (5·width), hidden
    twice, output (9·width), two norms (2·width); then the logits.
    """
    width = config.n_embd
    numbers = config.n_layer * 16 * width + 2 * width + 2 * config.vocab_size
    met = positions * (positions + 1) // 2
    shares = config.n_layer * config.n_head * 2 * met
    activations = 4 * (positions * numbers + shares)
    return FLOAT64 * (MOVES * config.num_parameters + batch * activations)
