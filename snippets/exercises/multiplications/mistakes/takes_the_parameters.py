"""This takes every parameter once for each token. A row of wte or of wpe is
looked up and multiplied by nothing."""

from microgpt import Config


def multiplications(config, length):
    width = config.n_embd
    total = 0
    for position in range(length):
        attention = 2 * width * (position + 1)
        total += config.n_layer * attention
    return total + length * config.num_parameters


print(multiplications(Config(), 16))
