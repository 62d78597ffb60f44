"""Only the gradient of the last document is left. Those of the others have been
forgotten."""

import random

from microgpt import GPT, Config, Tokenizer, document_loss


def learn(model, documents):
    total = 0.0
    for tokens in documents:
        for parameter in model.parameters():
            parameter.grad = 0.0
        loss = document_loss(model, tokens) / len(documents)
        loss.backward()
        total += loss.data
    return total


names = ["emma", "li", "alexandra"]
tokenizer = Tokenizer(names)
model = GPT(Config(tokenizer.vocab_size, n_embd=4), random.Random(42))
loss = learn(model, [tokenizer.document(name) for name in names])
