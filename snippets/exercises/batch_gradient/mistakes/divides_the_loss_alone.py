"""The loss is the mean now, but the gradients are still those of the sum."""

import random

from microgpt import GPT, Config, Tokenizer, document_loss


def learn(model, documents):
    total = 0.0
    for tokens in documents:
        loss = document_loss(model, tokens)
        loss.backward()
        total += loss.data
    return total / len(documents)


names = ["emma", "li", "alexandra"]
tokenizer = Tokenizer(names)
model = GPT(Config(tokenizer.vocab_size, n_embd=4), random.Random(42))
loss = learn(model, [tokenizer.document(name) for name in names])
