"""This counts as if there were one token. All of them are read."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    layer = 4 * width**2 + 2 * width * (4 * width)
    total = 0
    for position in range(1):
        attention = 2 * width * (position + 1)
        total += config.n_layer * (layer + attention)
    return total + width * config.vocab_size


print(multiplications(Config(), 16))
