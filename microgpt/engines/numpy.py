"""The model over NumPy's arrays: a batch in each operation."""

import math
import random
from typing import NamedTuple

import numpy as np

from microgpt.engines import arrays
from microgpt.engines.arrays import Array, Layer, Weight
from microgpt.engines.protocol import (
    Documents,
    State,
    check_documents,
    first_state,
    model_of,
)
from microgpt.model import GPT, Config

# More documents at once are no faster: each call has enough to do.
TOGETHER = 16


class Batch(NamedTuple):
    """Documents below one another, padded to the longest.

    A row for each position of each document. `marks` has a 1 for the
    token that is read and one for where it stands, `targets` one for
    the token that follows. `portions` are the weights in the mean.
    """

    length: int
    marks: Array
    targets: Array
    portions: Array


class Engine:
    """All weights in one array, Adam's two means in two others."""

    def __init__(self, config: Config, rng: random.Random) -> None:
        self.config = config
        self.weights, self.grad, self.first, self.second = np.zeros(
            (4, config.num_parameters)
        )
        self.restore(first_state(config, rng))
        self.embedding, self.head, self.layers = matrices(
            config, self.weights, self.grad
        )
        vocabulary, context = config.vocab_size, config.block_size
        self.marks = np.eye(vocabulary + context)
        self.targets = np.eye(vocabulary + 1, vocabulary)
        self.targets[vocabulary] = 1  # padding: every token is right
        self.mask = np.triu(np.full((context, context), -np.inf), 1)

    @property
    def model(self) -> GPT:
        """The model as it is now."""
        return model_of(self.config, self.weights.tolist())

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Learn from a batch; return the mean loss before the step."""
        check_documents(documents, self.config)
        ordered = sorted(documents, key=len)
        share = 1 / len(ordered)
        loss = self.gradient(ordered[:TOGETHER], share)
        for start in range(TOGETHER, len(ordered), TOGETHER):
            found = self.grad.copy()
            piece = ordered[start : start + TOGETHER]
            loss += self.gradient(piece, share)
            self.grad += found
        if math.isfinite(loss):
            self.move(learning_rate)
        return loss

    def gradient(self, documents: Documents, share: float) -> float:
        """Fill `grad` from documents that weigh `share` each.

        Return their part of the loss.
        """
        batch = self.batch(documents, share)
        n_head = self.config.n_head
        mask = self.mask[: batch.length, : batch.length]
        x, norm_back = arrays.rmsnorm(batch.marks.dot(self.embedding.data))
        ways = [norm_back]
        for layer in self.layers:
            x, attention_back = arrays.attention(x, layer, n_head, mask)
            x, mlp_back = arrays.mlp(x, layer)
            ways += [attention_back, mlp_back]
        logits, head_back = arrays.linear(x, self.head)
        ways.append(head_back)
        loss, dx = arrays.loss(logits, batch.targets, batch.portions)
        for back in reversed(ways):
            dx = back(dx)
        np.dot(batch.marks.T, dx, out=self.embedding.grad)
        return loss

    def batch(self, documents: Documents, share: float) -> Batch:
        """Cut documents to the context, and pad the short ones."""
        vocabulary, context = self.config.vocab_size, self.config.block_size
        length = min(max(map(len, documents)) - 1, context)
        inputs: list[int] = []
        positions: list[int] = []
        targets: list[int] = []
        portions: list[float] = []
        for tokens in documents:
            count = min(len(tokens) - 1, length)
            gap = length - count
            inputs += [*tokens[:count], *[0] * gap]
            positions += range(vocabulary, vocabulary + length)
            targets += [*tokens[1 : count + 1], *[vocabulary] * gap]
            portions += [share / count] * count + [0.0] * gap
        marks = self.marks.take(inputs, 0)
        marks += self.marks.take(positions, 0)
        return Batch(
            length, marks, self.targets.take(targets, 0), np.array(portions)
        )

    def move(self, learning_rate: float) -> None:
        """Move all weights as `microgpt.optim.Adam` moves each."""
        self.steps += 1
        correction1 = 1 - self.beta1**self.steps
        correction2 = 1 - self.beta2**self.steps
        self.first *= self.beta1
        self.first += (1 - self.beta1) * self.grad
        self.second *= self.beta2
        self.second += (1 - self.beta2) * self.grad**2
        size = np.sqrt(self.second / correction2) + self.epsilon
        self.weights -= (learning_rate / correction1) * self.first / size

    def state(self) -> State:
        """Return all that has been learnt."""
        numbers = self.weights, self.first, self.second
        weights, first, second = (each.tolist() for each in numbers)
        settings = self.steps, self.beta1, self.beta2, self.epsilon
        return State(weights, first, second, *settings)

    def restore(self, state: State) -> None:
        """Go on from a state."""
        self.weights[:] = state.weights
        self.first[:] = state.first
        self.second[:] = state.second
        self.steps, self.epsilon = state.steps, state.epsilon
        self.beta1, self.beta2 = state.beta1, state.beta2


def matrices(
    config: Config, data: Array, grad: Array
) -> tuple[Weight, Weight, list[Layer]]:
    """See the parameters, which lie in a row, as matrices."""
    width = config.n_embd
    rows = [config.vocab_size + config.block_size, config.vocab_size]
    rows += [3 * width, width, 4 * width, 4 * width] * config.n_layer
    ends = np.cumsum(rows[:-1])
    parts = (np.split(a.reshape(-1, width), ends) for a in (data, grad))
    embedding, head, *rest = map(Weight, *parts)
    layers = []
    for i in range(0, len(rest), 4):
        qkv, output, fc1, fc2 = rest[i : i + 4]
        # The only one with another number of columns
        fc2 = Weight(*(part.reshape(width, -1) for part in fc2))
        layers.append(Layer(qkv, output, fc1, fc2))
    return embedding, head, layers
