def count_parameters(vocab_size, n_embd, block_size, n_layer):
    """Return how many parameters a GPT of these sizes has."""
    embeddings = vocab_size * n_embd
    return embeddings


print(count_parameters(27, 16, 16, 1))
