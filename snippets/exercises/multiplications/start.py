from microgpt import Config


def multiplications(config, length):
    """Count those of reading `length` tokens, one after another."""
    width = config.n_embd
    layer = 4 * width**2  # queries, keys, values and output
    return length * config.n_layer * layer


print(multiplications(Config(), 1), multiplications(Config(), 16))
