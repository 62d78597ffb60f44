"""The model over NumPy's arrays: a batch in each operation."""

import math
import random
from typing import NamedTuple

import numpy as np

from microgpt.engines.numpy_layers import (
    Array,
    LayerParameters,
    MatrixAndGrad,
    ParametersWithGradients,
    attention,
    linear,
    loss_and_gradient,
    mlp,
    rmsnorm,
)
from microgpt.engines.protocol import (
    Documents,
    EngineState,
    build_model,
    check_documents,
    initial_state,
)
from microgpt.model import GPT, Config

# More documents at once are no faster: each call has enough to do.
MAX_DOCUMENTS_PER_PASS = 16


class OneHotBatch(NamedTuple):
    """Documents below one another, padded to the longest.

    A row for each position of each document. `inputs` has a 1 for the
    token that is read and a 1 for its position, `targets` a 1 for the
    token that follows. `row_weights` has the row's weight in the mean.
    """

    length: int
    inputs: Array
    targets: Array
    row_weights: Array


class Engine:
    """An engine whose weights, gradient and Adam's means are arrays.

    Each of the four has a number for every parameter.
    """

    def __init__(self, config: Config, rng: random.Random) -> None:
        self.config = config
        arrays = np.zeros((4, config.num_parameters))
        self.weights, self.grad, *moments = arrays
        self.first_moments, self.second_moments = moments
        self.restore(initial_state(config, rng))
        self.embedding, self.head, self.layers = split_parameters(
            config, self.weights, self.grad
        )
        vocabulary, context = config.vocab_size, config.block_size
        self.one_hot_inputs = np.eye(vocabulary + context)
        self.one_hot_targets = np.eye(vocabulary + 1, vocabulary)
        self.one_hot_targets[vocabulary] = 1  # padding: all are right
        self.mask = np.triu(np.full((context, context), -np.inf), 1)

    @property
    def model(self) -> GPT:
        """The model as it is now."""
        return build_model(self.config, self.weights.tolist())

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Learn from a batch; return the mean loss before the step."""
        check_documents(documents, self.config)
        ordered = sorted(documents, key=len)
        weight, size = 1 / len(ordered), MAX_DOCUMENTS_PER_PASS
        loss = self.compute_gradient(ordered[:size], weight)
        for start in range(size, len(ordered), size):
            accumulated = self.grad.copy()
            chunk = ordered[start : start + size]
            loss += self.compute_gradient(chunk, weight)
            self.grad += accumulated
        if math.isfinite(loss):
            self.update_weights(learning_rate)
        return loss

    def compute_gradient(
        self, documents: Documents, document_weight: float
    ) -> float:
        """Fill `grad` from documents; return their part of the loss.

        Each document has `document_weight` in the mean.
        """
        batch = self.build_batch(documents, document_weight)
        n_head = self.config.n_head
        mask = self.mask[: batch.length, : batch.length]
        x, norm_backward = rmsnorm(batch.inputs.dot(self.embedding.data))
        backward_passes = [norm_backward]
        for layer in self.layers:
            x, attention_backward = attention(x, layer, n_head, mask)
            x, mlp_backward = mlp(x, layer)
            backward_passes += [attention_backward, mlp_backward]
        logits, head_backward = linear(x, self.head)
        backward_passes.append(head_backward)
        loss, dx = loss_and_gradient(
            logits, batch.targets, batch.row_weights
        )
        for backward in reversed(backward_passes):
            dx = backward(dx)
        np.dot(batch.inputs.T, dx, out=self.embedding.grad)
        return loss

    def build_batch(
        self, documents: Documents, document_weight: float
    ) -> OneHotBatch:
        """Return the inputs and targets of documents, cut and padded."""
        vocabulary, context = self.config.vocab_size, self.config.block_size
        length = min(max(map(len, documents)) - 1, context)
        tokens_read: list[int] = []
        positions: list[int] = []
        targets: list[int] = []
        row_weights: list[float] = []
        for tokens in documents:
            count = min(len(tokens) - 1, length)
            padding = length - count
            tokens_read += [*tokens[:count], *[0] * padding]
            positions += range(vocabulary, vocabulary + length)
            targets += [*tokens[1 : count + 1], *[vocabulary] * padding]
            weight = document_weight / count
            row_weights += [weight] * count + [0.0] * padding
        inputs = self.one_hot_inputs.take(tokens_read, 0)
        inputs += self.one_hot_inputs.take(positions, 0)
        return OneHotBatch(
            length,
            inputs,
            self.one_hot_targets.take(targets, 0),
            np.array(row_weights),
        )

    def update_weights(self, learning_rate: float) -> None:
        """Take a step of Adam, as `microgpt.optim.Adam.step` does."""
        self.steps_taken += 1
        correction1 = 1 - self.beta1**self.steps_taken
        correction2 = 1 - self.beta2**self.steps_taken
        means, mean_squares = self.first_moments, self.second_moments
        means *= self.beta1
        means += (1 - self.beta1) * self.grad
        mean_squares *= self.beta2
        mean_squares += (1 - self.beta2) * self.grad**2
        rms = np.sqrt(mean_squares / correction2) + self.epsilon
        self.weights -= (learning_rate / correction1) * means / rms

    def state(self) -> EngineState:
        """Return what `restore` needs to continue training."""
        arrays = self.weights, self.first_moments, self.second_moments
        weights, means, mean_squares = (x.tolist() for x in arrays)
        settings = self.steps_taken, self.beta1, self.beta2, self.epsilon
        return EngineState(weights, means, mean_squares, *settings)

    def restore(self, state: EngineState) -> None:
        """Continue from a state."""
        self.weights[:] = state.weights
        self.first_moments[:] = state.first_moments
        self.second_moments[:] = state.second_moments
        self.steps_taken, self.epsilon = state.steps_taken, state.epsilon
        self.beta1, self.beta2 = state.beta1, state.beta2


def split_parameters(
    config: Config, data: Array, grad: Array
) -> ParametersWithGradients:
    """Return the matrices of all parameters, as views of two arrays."""
    width = config.n_embd
    rows = [config.vocab_size + config.block_size, config.vocab_size]
    rows += [3 * width, width, 4 * width, 4 * width] * config.n_layer
    starts = np.cumsum(rows[:-1])
    matrices = (
        np.split(a.reshape(-1, width), starts) for a in (data, grad)
    )
    embedding, head, *rest = map(MatrixAndGrad, *matrices)
    layers = []
    for i in range(0, len(rest), 4):
        qkv, output, fc1, fc2 = rest[i : i + 4]
        # This one alone has another number of columns.
        fc2 = MatrixAndGrad(*(a.reshape(width, -1) for a in fc2))
        layers.append(LayerParameters(qkv, output, fc1, fc2))
    return ParametersWithGradients(embedding, head, layers)
