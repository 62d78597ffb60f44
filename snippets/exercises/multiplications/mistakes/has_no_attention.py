"""All linear layers are there. What is missing is in attention: each query meets
keys, and the weights meet values."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    layer = 4 * width**2 + 2 * width * (4 * width)
    total = 0
    for _ in range(length):
        total += config.n_layer * layer
    return total + length * width * config.vocab_size


print(multiplications(Config(), 16))
