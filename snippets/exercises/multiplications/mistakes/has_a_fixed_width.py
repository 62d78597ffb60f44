"""For two small models the number is not right: reading 3 tokens the first one
multiplies 684 times, and this gives 1836."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    layer = 4 * width**2 + 2 * width * 64
    total = 0
    for position in range(length):
        attention = 2 * width * (position + 1)
        total += config.n_layer * (layer + attention)
    return total + length * width * config.vocab_size


print(multiplications(Config(), 16))
