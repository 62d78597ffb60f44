"""Training: one document at a time, downhill on its loss."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise

from microgpt.autograd import Value, collector_paused
from microgpt.model import GPT, Config
from microgpt.nn import softmax
from microgpt.optim import Adam, linear_decay
from microgpt.tokenizer import Tokenizer

LEARNING_RATE = 0.01

# Adds the gradient of a document's loss to every `grad`, and returns
# the loss.
Gradient = Callable[[GPT, Sequence[int]], float]


def document_loss(model: GPT, tokens: Sequence[int]) -> Value:
    """Return the mean of −log p(next token), in nats, over a document.

    A document longer than the model's context is cut.
    """
    cache = model.new_cache()
    losses = []
    context = model.config.block_size
    for token, target in islice(pairwise(tokens), context):
        probabilities = softmax(model.forward(token, cache))
        losses.append(-probabilities[target].log())
    return Value.sum(losses) * (1 / len(losses))


def backpropagate(model: GPT, tokens: Sequence[int]) -> float:
    """Add the gradient of a document's loss to every `grad`.

    Return the loss.
    """
    loss = document_loss(model, tokens)
    loss.backward()
    return loss.data


class Run:
    """A training run: all that it needs to go on from where it is.

    One generator, seeded once, shuffles the documents, draws the first
    weights and later the samples, in that order. `gradient` is how its
    gradients are found. Raise ValueError if `config` has another
    vocabulary than the documents.
    """

    def __init__(
        self,
        documents: Sequence[str],
        config: Config,
        num_steps: int,
        seed: int = 42,
        gradient: Gradient = backpropagate,
    ) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.documents = list(documents)
        self.rng.shuffle(self.documents)
        self.tokenizer = Tokenizer(documents)
        if config.vocab_size != self.tokenizer.vocab_size:
            raise ValueError(
                f"vocab_size must be {self.tokenizer.vocab_size} for"
                f" these documents, not {config.vocab_size}"
            )
        self.model = GPT(config, self.rng)
        self.optimizer = Adam(self.model.parameters())
        self.num_steps = num_steps
        self.gradient = gradient

    @property
    def step(self) -> int:
        """How many steps were taken."""
        return self.optimizer.steps

    def train(self, stop: int | None = None) -> Iterator[float]:
        """Take the steps that remain, or those up to `stop`.

        Yield the loss of each.
        """
        last = self.num_steps
        if stop is not None:
            last = min(stop, last)
        while self.step < last:
            with collector_paused():
                loss = self.train_step()
            yield loss

    def train_step(self) -> float:
        """Learn from one document; return its loss from before."""
        document = self.documents[self.step % len(self.documents)]
        tokens = self.tokenizer.document(document)
        loss = self.gradient(self.model, tokens)
        rate = linear_decay(LEARNING_RATE, self.step, self.num_steps)
        self.optimizer.step(rate)
        self.optimizer.zero_grad()
        return loss
