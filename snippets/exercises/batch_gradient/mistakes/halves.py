"""The gradients are not the mean over the documents."""

import random

from microgpt import GPT, Config, Tokenizer, document_loss


def learn(model, documents):
    total = 0.0
    for tokens in documents:
        loss = document_loss(model, tokens)
        loss.backward()
        total += loss.data
    for parameter in model.parameters():
        parameter.grad /= 2
    return total / 2


names = ["emma", "li", "alexandra"]
tokenizer = Tokenizer(names)
model = GPT(Config(tokenizer.vocab_size, n_embd=4), random.Random(42))
loss = learn(model, [tokenizer.document(name) for name in names])
