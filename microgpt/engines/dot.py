"""The model as taught: a graph with a node for each dot product."""

import math
import random
from collections.abc import Sequence

from microgpt.engines.protocol import (
    Documents,
    EngineState,
    check_documents,
)
from microgpt.model import GPT, Config
from microgpt.optim import Adam
from microgpt.training import document_loss


class Engine:
    """An engine of the lesson's model and optimizer, with batches."""

    def __init__(self, config: Config, rng: random.Random) -> None:
        self.model = GPT(config, rng)
        self.optimizer = Adam(self.model.parameters())

    @property
    def steps_taken(self) -> int:
        """The number of steps taken."""
        return self.optimizer.steps_taken

    def accumulate_gradient(self, tokens: Sequence[int]) -> float:
        """Add the gradient of a document's loss to every `grad`.

        Return the loss, infinite where it has no finite gradient.
        """
        try:
            loss = document_loss(self.model, tokens)
        except ValueError:  # a probability has become 0
            return math.inf
        loss.backward()
        slopes = sum(p.grad for p in self.optimizer.parameters)
        return loss.data if math.isfinite(slopes) else math.inf

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Learn from a batch; return the mean loss before the step."""
        check_documents(documents, self.model.config)
        count = len(documents)
        loss = 0.0
        for tokens in documents:
            loss += self.accumulate_gradient(tokens) / count
        if count > 1:
            for parameter in self.optimizer.parameters:
                parameter.grad /= count
        if math.isfinite(loss):
            self.optimizer.step(learning_rate)
        self.optimizer.zero_grad()
        return loss

    def state(self) -> EngineState:
        """Return what `restore` needs to continue training."""
        adam = self.optimizer
        weights = [p.data for p in adam.parameters]
        return EngineState(
            weights,
            list(adam.first_moments),
            list(adam.second_moments),
            adam.steps_taken,
            adam.beta1,
            adam.beta2,
            adam.epsilon,
        )

    def restore(self, state: EngineState) -> None:
        """Continue from a state."""
        adam = self.optimizer
        pairs = zip(adam.parameters, state.weights, strict=True)
        for parameter, weight in pairs:
            parameter.data = weight
        adam.first_moments = list(state.first_moments)
        adam.second_moments = list(state.second_moments)
        adam.steps_taken = state.steps_taken
        adam.beta1, adam.beta2 = state.beta1, state.beta2
        adam.epsilon = state.epsilon
