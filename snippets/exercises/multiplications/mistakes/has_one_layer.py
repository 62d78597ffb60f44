"""Every layer has matrices of its own, and attention of its own: this counts one
layer."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    layer = 4 * width**2 + 2 * width * (4 * width)
    total = 0
    for position in range(length):
        attention = 2 * width * (position + 1)
        total += layer + attention
    return total + length * width * config.vocab_size


print(multiplications(Config(), 16))
