"""A long document counts for more than a short one: this is the mean over all
tokens. Every document should have the same say, so take the mean of their
means."""

import random

from microgpt import GPT, Config, Tokenizer, document_loss


def learn(model, documents):
    total = 0.0
    count = sum(len(tokens) - 1 for tokens in documents)
    for tokens in documents:
        share = (len(tokens) - 1) / count
        loss = document_loss(model, tokens) * share
        loss.backward()
        total += loss.data
    return total


names = ["emma", "li", "alexandra"]
tokenizer = Tokenizer(names)
model = GPT(Config(tokenizer.vocab_size, n_embd=4), random.Random(42))
loss = learn(model, [tokenizer.document(name) for name in names])
