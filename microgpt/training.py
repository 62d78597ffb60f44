"""Training: one document at a time, downhill on its loss."""

from collections.abc import Iterator, Sequence

from microgpt.autograd import Value
from microgpt.model import GPT
from microgpt.nn import softmax
from microgpt.optim import Adam, linear_decay


def document_loss(model: GPT, tokens: Sequence[int]) -> Value:
    """Return the mean of −log p(next token), in nats, over a document.

    `tokens`, two or more, are cut to the model's context.
    """
    cache = model.new_cache()
    read = tokens[: model.config.block_size]
    losses = []
    for token, target in zip(read, tokens[1:]):
        probabilities = softmax(model.forward(token, cache))
        losses.append(-probabilities[target].log())
    return Value.sum(losses) * (1 / len(losses))


def train(
    model: GPT, documents: Sequence[Sequence[int]], num_steps: int
) -> Iterator[float]:
    """Learn from one document per step; yield each loss."""
    optimizer = Adam(model.parameters())
    for step in range(num_steps):
        loss = document_loss(model, documents[step % len(documents)])
        loss.backward()
        optimizer.step(linear_decay(0.01, step, num_steps))
        optimizer.zero_grad()
        yield loss.data
        del loss  # and with it the graph
