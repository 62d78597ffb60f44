"""The MLP is missing: it has two matrices in each layer, four times as long on
one side."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    layer = 4 * width**2
    total = 0
    for position in range(length):
        attention = 2 * width * (position + 1)
        total += config.n_layer * (layer + attention)
    return total + length * width * config.vocab_size


print(multiplications(Config(), 16))
