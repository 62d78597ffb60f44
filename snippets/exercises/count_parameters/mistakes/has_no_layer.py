"""The embeddings and lm_head are right. Now add what is in a layer, and count it
once for each."""


def count_parameters(vocab_size, n_embd, block_size, n_layer):
    return (2 * vocab_size + block_size) * n_embd


print(count_parameters(27, 16, 16, 1))
