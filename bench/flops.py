"""How much a training step has to compute and to move, whatever the engine.

A FLOP is an addition or a multiplication of two numbers. The counts follow from the
sizes of the model alone.
"""

from microgpt import Config

ADAM_FLOPS = 16  # per parameter, counted in `Adam.step`
# Reads of each weight: forward and backward. Its gradient is written once; Adam reads
# gradient, weight and both means, and writes all but the gradient.
MOVES_PER_WEIGHT = 10
FLOAT64_BYTES = 8


def count_matrix_multiplications(config: Config, positions: int) -> int:
    """Return the multiplications of all matrix products in a forward pass.

    Each layer has four matrices of width² and two of 4·width²; then come the logits.
    """
    width = config.n_embd
    return positions * (config.n_layer * 12 * width**2 + config.vocab_size * width)


def count_attention_multiplications(config: Config, positions: int) -> int:
    """Return the multiplications of attention in a forward pass, without its matrices.

    They are queries by keys and weights by values: position t meets t positions, and
    each pair takes `width` multiplications for either, over all heads.
    """
    pairs = positions * (positions + 1) // 2
    return config.n_layer * 2 * pairs * config.n_embd


def document_flops(config: Config, positions: int) -> int:
    """Return the FLOPs of a document, forward and backward, without Adam.

    Each multiplication of a dot product comes with an addition; backward, two
    derivatives take a multiplication and an addition each: 2 + 4.
    """
    return 6 * (
        count_matrix_multiplications(config, positions)
        + count_attention_multiplications(config, positions)
    )


def step_flops(config: Config, positions: int, batch_size: int = 1) -> int:
    """Return the FLOPs of a step with a batch of documents of one length."""
    adam = ADAM_FLOPS * config.num_parameters
    return batch_size * document_flops(config, positions) + adam


def step_bytes(config: Config, positions: int, batch_size: int = 1) -> int:
    """Return the bytes that a step moves at least: each number once per use.

    Weights are moved once per step, whatever the batch. Each activation of a document
    is moved 4 times: written forward, read backward, its derivative written and read.
    Per layer: query, key, value, gathered, output (5·width), hidden twice, output
    (9·width), two norms (2·width); besides, embedding and first norm (2·width), and
    logits and probabilities.
    """
    width = config.n_embd
    numbers = config.n_layer * 16 * width + 2 * width + 2 * config.vocab_size
    pairs = positions * (positions + 1) // 2
    attention_weights = config.n_layer * config.n_head * 2 * pairs
    activations = 4 * (positions * numbers + attention_weights)
    weights = MOVES_PER_WEIGHT * config.num_parameters
    return FLOAT64_BYTES * (weights + batch_size * activations)
