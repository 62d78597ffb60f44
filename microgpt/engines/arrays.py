"""The model over arrays, and its derivatives by hand.

Each function returns a result and the way back: a function that takes
the derivatives of the loss along the result, and returns those along
the input. A row is one position of one document.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microgpt.engines.protocol import SMALLEST

Array = NDArray[np.float64]
Back = Callable[[Array], Array]


class Weight(NamedTuple):
    """A matrix of parameters, and where their derivatives go."""

    data: Array
    grad: Array


class Layer(NamedTuple):
    """The matrices of a layer: three of attention's lie in one."""

    queries_keys_values: Weight
    output: Weight
    fc1: Weight
    fc2: Weight


def linear(x: Array, weight: Weight) -> tuple[Array, Back]:
    """Map each row by an out × in matrix."""

    def back(dy: Array) -> Array:
        np.dot(dy.T, x, out=weight.grad)
        dx: Array = dy.dot(weight.data)
        return dx

    return x.dot(weight.data.T), back


def row_dots(a: Array, b: Array) -> Array:
    """Return the dot product of each row of `a` with that of `b`."""
    dots: Array = np.vecdot(a, b)
    return dots[..., None]


def rmsnorm(x: Array) -> tuple[Array, Back]:
    """Scale each row to a root mean square of 1."""
    width = x.shape[1]
    size = np.sqrt(row_dots(x, x) / width + 1e-5)
    y: Array = x / size

    def back(dy: Array) -> Array:
        along = row_dots(y, dy) / width
        dx: Array = (dy - y * along) / size
        return dx

    return y, back


def softmax(scores: Array) -> Array:
    """Turn rows, the last dimension, into probabilities."""
    largest = np.maximum.reduce(scores, axis=-1, keepdims=True)
    exps: Array = np.exp(scores - largest)
    exps /= np.add.reduce(exps, axis=-1, keepdims=True)
    return exps


def attend(x: Array, n_head: int, mask: Array) -> tuple[Array, Back]:
    """Average values as keys match queries, in all heads at once.

    Each row of `x` has a query, a key and a value. `mask` is added to
    the scores: −∞ for a position later than the one that asks.
    """
    length, width = len(mask), x.shape[1] // 3
    split = (-1, length, 3, n_head, width // n_head)
    parts = x.reshape(split).transpose(2, 0, 3, 1, 4)
    queries, keys, values = parts[0], parts[1], parts[2]
    scale = (width // n_head) ** -0.5
    shares = softmax(queries @ keys.mT * scale + mask)
    y = shares @ values

    def back(dy: Array) -> Array:
        heads = dy.reshape(-1, length, n_head, width // n_head)
        dy = heads.transpose(0, 2, 1, 3)
        d_shares = dy @ values.mT
        mean = row_dots(shares, d_shares)
        d_scores = shares * (d_shares - mean) * scale
        dx = np.empty_like(x)
        d_parts = dx.reshape(split).transpose(2, 0, 3, 1, 4)
        np.matmul(d_scores, keys, out=d_parts[0])
        np.matmul(d_scores.mT, queries, out=d_parts[1])
        np.matmul(shares.mT, dy, out=d_parts[2])
        return dx

    return y.transpose(0, 2, 1, 3).reshape(-1, width), back


def attention(
    x: Array, layer: Layer, n_head: int, mask: Array
) -> tuple[Array, Back]:
    """Add to x what each head gathers from the positions so far."""
    normed, norm_back = rmsnorm(x)
    parts, parts_back = linear(normed, layer.queries_keys_values)
    gathered, attend_back = attend(parts, n_head, mask)
    output, output_back = linear(gathered, layer.output)

    def back(dy: Array) -> Array:
        return dy + norm_back(parts_back(attend_back(output_back(dy))))

    return output + x, back


def mlp(x: Array, layer: Layer) -> tuple[Array, Back]:
    """Add to x what two linear layers make of it."""
    normed, norm_back = rmsnorm(x)
    hidden, fc1_back = linear(normed, layer.fc1)
    active = np.maximum(hidden, 0.0)
    output, fc2_back = linear(active, layer.fc2)

    def back(dy: Array) -> Array:
        d_hidden = fc2_back(dy) * np.sign(active)
        return dy + norm_back(fc1_back(d_hidden))

    return output + x, back


def loss(
    logits: Array, targets: Array, portions: Array
) -> tuple[float, Array]:
    """Return the loss, and its derivatives along the logits.

    A row of `targets` has a 1 for the right token. `portions` are the
    weights of the rows in the mean.
    """
    probabilities = softmax(logits)
    chances = np.vecdot(probabilities, targets)
    total = 0.0
    for portion, chance in zip(portions.tolist(), chances.tolist()):
        total -= portion * (
            math.log(chance) if chance > SMALLEST else -math.inf
        )
    return total, (probabilities - targets) * portions[:, None]
