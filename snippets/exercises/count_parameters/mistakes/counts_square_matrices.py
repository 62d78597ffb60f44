"""The embeddings and lm_head are right. You count 6 times the square of the width in
a layer: attention has four matrices of that size, and each of the two in the MLP is
four times as large."""


def count_parameters(vocab_size, n_embd, block_size, n_layer):
    outside = (2 * vocab_size + block_size) * n_embd
    return outside + 6 * n_layer * n_embd**2


print(count_parameters(27, 16, 16, 1))
