"""Only what is in a layer comes once for each layer. The embeddings and lm_head are
there once."""


def count_parameters(vocab_size, n_embd, block_size, n_layer):
    outside = (2 * vocab_size + block_size) * n_embd
    return n_layer * (outside + 12 * n_embd**2)


print(count_parameters(27, 16, 16, 1))
