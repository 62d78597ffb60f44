"""Return the number."""


def count_parameters(vocab_size, n_embd, block_size, n_layer):
    print(2 * vocab_size * n_embd)


print(count_parameters(27, 16, 16, 1))
