"""This takes every parameter once for each token. A row of wte or of wpe is
looked up and multiplied by nothing."""

from microgpt import Config


def multiplications(config, length):
    return length * config.num_parameters


print(multiplications(Config(), 16))
