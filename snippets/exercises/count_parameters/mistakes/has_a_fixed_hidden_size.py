"""With 27 tokens, width 24, context 16 and layers: 1, the package has 8592 parameters.
Your formula gives 7056."""


def count_parameters(vocab_size, n_embd, block_size, n_layer):
    outside = (2 * vocab_size + block_size) * n_embd
    attention = 4 * n_embd**2
    mlp = 2 * 64 * n_embd
    return outside + n_layer * (attention + mlp)


print(count_parameters(27, 16, 16, 1))
