"""Return the loss of the batch, as a number."""

import random

from microgpt import GPT, Config, Tokenizer, document_loss


def learn(model, documents):
    for tokens in documents:
        (document_loss(model, tokens) / len(documents)).backward()


names = ["emma", "li", "alexandra"]
tokenizer = Tokenizer(names)
model = GPT(Config(tokenizer.vocab_size, n_embd=4), random.Random(42))
loss = learn(model, [tokenizer.document(name) for name in names])
