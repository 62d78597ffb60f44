"""The first token finds one key in the cache, the second two. This lets each of
them meet all."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    layer = 4 * width**2 + 2 * width * (4 * width)
    total = 0
    for position in range(length):
        attention = 2 * width * length
        total += config.n_layer * (layer + attention)
    return total + length * width * config.vocab_size


print(multiplications(Config(), 16))
