"""Building blocks of neural networks: functions of `Value` vectors."""

import random

from microgpt.autograd import Value

Vector = list[Value]
Matrix = list[Vector]


def gaussian_matrix(
    rows: int, columns: int, std: float, rng: random.Random
) -> Matrix:
    """Draw rows × columns parameters from a normal distribution."""
    return [
        [Value(rng.gauss(0, std)) for _ in range(columns)]
        for _ in range(rows)
    ]


def dot(a: Vector, b: Vector) -> Value:
    """Add up the products of two vectors of equal length, in one node.

    The gradient of an element is its partner in the other vector.
    """
    a_data = [ai.data for ai in a]
    b_data = [bi.data for bi in b]
    total = 0.0
    for x, y in zip(a_data, b_data, strict=True):
        total += x * y
    return Value(total, (*a, *b), (*b_data, *a_data), "dot")


def linear(x: Vector, weight: Matrix) -> Vector:
    """Map `in` numbers to `out` numbers by an out × in matrix."""
    return [dot(row, x) for row in weight]


def softmax(logits: Vector) -> Vector:
    """Turn any numbers into probabilities: positive, adding up to 1.

    The largest logit is subtracted first, so that no `exp` can
    overflow. It cancels out, which is why it may be a plain number
    without a gradient.
    """
    largest = max(logit.data for logit in logits)
    exps = [(logit - largest).exp() for logit in logits]
    scale = Value.sum(exps) ** -1
    return [exp * scale for exp in exps]


def rmsnorm(x: Vector) -> Vector:
    """Scale a vector to a root mean square of 1.

    From Zhang and Sennrich (2019), without a learnt gain. The
    small number under the root keeps a vector of zeros finite.
    """
    mean_square = dot(x, x) / len(x)
    scale = (mean_square + 1e-5) ** -0.5
    return [xi * scale for xi in x]
