"""The positions are missing: wpe has a row for each place of the context."""


def count_parameters(vocab_size, n_embd, block_size, n_layer):
    return 2 * vocab_size * n_embd + 12 * n_layer * n_embd**2


print(count_parameters(27, 16, 16, 1))
