"""The model over arrays, and its derivatives by hand.

Each function returns a result and its backward function, which takes
the gradient of the result and returns the gradient of the input. A row
is one position of one document. Here `length` counts the positions of a
document, `rows` those of all documents, and `width` is `n_embd`.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microgpt.engines.protocol import INFINITE_LOSS_PROBABILITY

Array = NDArray[np.float64]
Backward = Callable[[Array], Array]


class MatrixAndGrad(NamedTuple):
    """A matrix of parameters, and its gradient."""

    data: Array
    grad: Array


class LayerParameters(NamedTuple):
    """The matrices of a layer: query, key and value in one."""

    queries_keys_values: MatrixAndGrad
    output: MatrixAndGrad
    fc1: MatrixAndGrad
    fc2: MatrixAndGrad


class ParametersWithGradients(NamedTuple):
    """All matrices and their gradients."""

    token_and_position_embedding: MatrixAndGrad
    head: MatrixAndGrad
    layers: list[LayerParameters]


def linear(x: Array, weight: MatrixAndGrad) -> tuple[Array, Backward]:
    """Map (rows, in) to (rows, out) by a matrix of shape (out, in)."""

    def backward(dy: Array) -> Array:
        np.dot(dy.T, x, out=weight.grad)
        dx: Array = dy.dot(weight.data)
        return dx

    return x.dot(weight.data.T), backward


def row_dots(a: Array, b: Array) -> Array:
    """Return the dot product of each row of `a` with that of `b`.

    They stand in a column: the last dimension becomes 1.
    """
    dots: Array = np.vecdot(a, b)
    return dots[..., None]


def rmsnorm(x: Array) -> tuple[Array, Backward]:
    """Scale each row of (rows, width) to a root mean square of 1."""
    width = x.shape[1]
    rms = np.sqrt(row_dots(x, x) / width + 1e-5)
    y: Array = x / rms

    def backward(dy: Array) -> Array:
        mean_product = row_dots(y, dy) / width
        dx: Array = (dy - y * mean_product) / rms
        return dx

    return y, backward


def softmax(scores: Array) -> Array:
    """Turn the last dimension into probabilities."""
    largest = np.maximum.reduce(scores, axis=-1, keepdims=True)
    exps: Array = np.exp(scores - largest)
    exps /= np.add.reduce(exps, axis=-1, keepdims=True)
    return exps


def attend(
    x: Array,
    n_head: int,
    mask: Array,
) -> tuple[Array, Backward]:
    """Average values as keys match queries, in all heads at once.

    `x`, of shape (rows, 3 × width), has query, key and value side by
    side; the result is (rows, width). `mask`, (length, length), is
    added to the scores: −∞ hides a later position.
    """
    length, width = len(mask), x.shape[1] // 3
    shape = (-1, length, 3, n_head, width // n_head)
    qkv = x.reshape(shape).transpose(2, 0, 3, 1, 4)
    queries, keys, values = qkv[0], qkv[1], qkv[2]
    scale = (width // n_head) ** -0.5
    weights = softmax(queries @ keys.mT * scale + mask)
    y = weights @ values

    def backward(dy: Array) -> Array:
        heads = dy.reshape(-1, length, n_head, width // n_head)
        dy = heads.transpose(0, 2, 1, 3)
        d_weights = dy @ values.mT
        mean = row_dots(weights, d_weights)
        d_scores = weights * (d_weights - mean) * scale
        dx = np.empty_like(x)
        d_qkv = dx.reshape(shape).transpose(2, 0, 3, 1, 4)
        np.matmul(d_scores, keys, out=d_qkv[0])
        np.matmul(d_scores.mT, queries, out=d_qkv[1])
        np.matmul(weights.mT, dy, out=d_qkv[2])
        return dx

    return y.transpose(0, 2, 1, 3).reshape(-1, width), backward


def attention(
    x: Array, layer: LayerParameters, n_head: int, mask: Array
) -> tuple[Array, Backward]:
    """Return x plus attention to RMSNorm(x), both (rows, width)."""
    normed, norm_backward = rmsnorm(x)
    qkv, qkv_backward = linear(normed, layer.queries_keys_values)
    gathered, attend_backward = attend(qkv, n_head, mask)
    output, output_backward = linear(gathered, layer.output)

    def backward(dy: Array) -> Array:
        return dy + norm_backward(
            qkv_backward(attend_backward(output_backward(dy)))
        )

    return output + x, backward


def mlp(x: Array, layer: LayerParameters) -> tuple[Array, Backward]:
    """Return x + fc2(ReLU(fc1(RMSNorm(x)))), both (rows, width)."""
    normed, norm_backward = rmsnorm(x)
    hidden, fc1_backward = linear(normed, layer.fc1)
    active = np.maximum(hidden, 0.0)
    output, fc2_backward = linear(active, layer.fc2)

    def backward(dy: Array) -> Array:
        d_hidden = fc2_backward(dy) * np.sign(active)
        return dy + norm_backward(fc1_backward(d_hidden))

    return output + x, backward


def loss_and_gradient(
    logits: Array, targets: Array, row_weights: Array
) -> tuple[float, Array]:
    """Return the loss in nats, and the gradient of the logits.

    `logits` and `targets`, which has a 1 for the right token, are of
    shape (rows, vocabulary). `row_weights` weighs each row in the mean.
    """
    probabilities = softmax(logits)
    p_targets = np.vecdot(probabilities, targets)
    total = 0.0
    for weight, p in zip(row_weights.tolist(), p_targets.tolist()):
        is_finite = p > INFINITE_LOSS_PROBABILITY
        log_p = math.log(p) if is_finite else -math.inf
        total -= weight * log_p
    return total, (probabilities - targets) * row_weights[:, None]
