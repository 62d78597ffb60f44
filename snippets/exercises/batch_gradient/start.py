import random

from microgpt import GPT, Config, Tokenizer, document_loss


def learn(model, documents):
    """Find the gradient of a batch, from grads that are 0; return its loss."""
    total = 0.0
    for tokens in documents:
        loss = document_loss(model, tokens)
        loss.backward()
        total += loss.data
    return total


names = ["emma", "li", "alexandra"]
tokenizer = Tokenizer(names)
model = GPT(Config(tokenizer.vocab_size, n_embd=4), random.Random(42))
loss = learn(model, [tokenizer.document(name) for name in names])
print(f"{loss:.4f} {model.parameters()[0].grad:.6f}")
