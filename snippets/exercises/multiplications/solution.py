from microgpt import Config


def multiplications(config, length):
    """Count the multiplications of reading `length` tokens, one after another."""
    width = config.n_embd
    layer = 4 * width**2 + 2 * width * (4 * width)
    total = 0
    for position in range(length):
        attention = 2 * width * (position + 1)
        total += config.n_layer * (layer + attention)
    return total + length * width * config.vocab_size


print(multiplications(Config(), 1), multiplications(Config(), 16))
