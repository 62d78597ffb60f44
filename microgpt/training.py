"""Training: one document at a time, downhill on its loss."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise

from microgpt.autograd import Value, collector_paused
from microgpt.engine import Engine, EngineType, State
from microgpt.model import GPT, Config
from microgpt.nn import softmax
from microgpt.optim import Adam, linear_decay
from microgpt.tokenizer import Tokenizer

LEARNING_RATE = 0.01


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


# Adds the gradient of a document's loss to every `grad`, and returns
# the loss.
Gradient = Callable[[GPT, Sequence[int]], float]


class Backpropagation:
    """The engine as taught: a graph of `Value`s, and Adam to move them.

    `gradient` is how the gradient of a document's loss is found.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        gradient: Gradient = backpropagate,
    ) -> None:
        self.model = GPT(config, rng)
        self.optimizer = Adam(self.model.parameters())
        self.gradient = gradient

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return self.optimizer.steps

    def step(
        self, documents: Sequence[Sequence[int]], learning_rate: float
    ) -> float:
        """Learn from a batch; return the mean loss from before."""
        count = len(documents)
        loss = 0.0
        for tokens in documents:
            loss += self.gradient(self.model, tokens) / count
        if count > 1:
            for parameter in self.optimizer.parameters:
                parameter.grad /= count
        self.optimizer.step(learning_rate)
        self.optimizer.zero_grad()
        return loss

    def state(self) -> State:
        """Return all that has been learnt."""
        adam = self.optimizer
        return State(
            [p.data for p in adam.parameters],
            list(adam.first),
            list(adam.second),
            adam.steps,
            adam.beta1,
            adam.beta2,
            adam.epsilon,
        )

    def restore(self, state: State) -> None:
        """Go on from a state."""
        adam = self.optimizer
        pairs = zip(adam.parameters, state.weights, strict=True)
        for parameter, weight in pairs:
            parameter.data = weight
        adam.first, adam.second = list(state.first), list(state.second)
        adam.steps, adam.epsilon = state.steps, state.epsilon
        adam.beta1, adam.beta2 = state.beta1, state.beta2


class Run:
    """A training run: all that it needs to go on from where it is.

    One generator, seeded once, shuffles the documents, draws the first
    weights and later the samples, in that order. Each step learns from
    `batch_size` documents. Raise ValueError if `config` has another
    vocabulary than the documents.
    """

    def __init__(
        self,
        documents: Sequence[str],
        config: Config,
        num_steps: int,
        seed: int = 42,
        *,
        batch_size: int = 1,
        learning_rate: float = LEARNING_RATE,
        engine: EngineType = Backpropagation,
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
        self.config = config
        self.num_steps = num_steps
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.engine: Engine = engine(config, self.rng)

    @property
    def model(self) -> GPT:
        """The model as it is now."""
        return self.engine.model

    @property
    def step(self) -> int:
        """How many steps were taken."""
        return self.engine.steps

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
        """Learn from a batch; return its mean loss from before."""
        first = self.learning_rate
        rate = linear_decay(first, self.step, self.num_steps)
        return self.engine.step(self.batch(), rate)

    def batch(self) -> list[list[int]]:
        """Return the documents of the step to come, as tokens.

        After the last document the first comes again.
        """
        count = len(self.documents)
        begin = self.step * self.batch_size
        return [
            self.tokenizer.document(self.documents[i % count])
            for i in range(begin, begin + self.batch_size)
        ]
