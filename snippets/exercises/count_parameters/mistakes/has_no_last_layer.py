"""One matrix with a row for each token is missing: there are two, wte at the
beginning and lm_head at the end."""


def count_parameters(vocab_size, n_embd, block_size, n_layer):
    embeddings = (vocab_size + block_size) * n_embd
    return embeddings + 12 * n_layer * n_embd**2


print(count_parameters(27, 16, 16, 1))
