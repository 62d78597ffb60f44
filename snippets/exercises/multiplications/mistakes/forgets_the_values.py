"""Attention multiplies twice: queries with keys, then weights with values. One of
the two is missing."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    layer = 4 * width**2 + 2 * width * (4 * width)
    total = 0
    for position in range(length):
        attention = width * (position + 1)
        total += config.n_layer * (layer + attention)
    return total + length * width * config.vocab_size


print(multiplications(Config(), 16))
