"""Return the loss of the batch, as a number."""

import random

from microgpt import GPT, Config, Tokenizer, document_loss


def learn(model, documents):
    total = 0
    for tokens in documents:
        total += document_loss(model, tokens) / len(documents)
    total.backward()
    return total


names = ["emma", "li", "alexandra"]
tokenizer = Tokenizer(names)
model = GPT(Config(tokenizer.vocab_size, n_embd=4), random.Random(42))
loss = learn(model, [tokenizer.document(name) for name in names])
