"""One of the two matrices of the MLP is missing: the one back to the width costs
as much as the other."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    layer = 4 * width**2 + width * (4 * width)
    total = 0
    for position in range(length):
        attention = 2 * width * (position + 1)
        total += config.n_layer * (layer + attention)
    return total + length * width * config.vocab_size


print(multiplications(Config(), 16))
