def count_parameters(vocab_size, n_embd, block_size, n_layer):
    """Return how many parameters a GPT of these sizes has."""
    embeddings = (vocab_size + block_size) * n_embd
    lm_head = vocab_size * n_embd
    attention = 4 * n_embd * n_embd
    mlp = 2 * (4 * n_embd) * n_embd
    return embeddings + n_layer * (attention + mlp) + lm_head


print(count_parameters(27, 16, 16, 1))
