"""Automatic differentiation, with a matrix for a node.

A matrix is a list of rows of floats. Where `microgpt.autograd` makes a
node for each number, here there is one for each matrix. The derivative
of each operation stands beside it.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from operator import add, mul

from microgpt.engines.protocol import INFINITE_LOSS_PROBABILITY

Row = Sequence[float]
Rows = Sequence[Row]


def sum_of_products(a: Row, b: Row, /) -> float:
    """Add up the products of two vectors of equal length."""
    return float(sum(map(mul, a, b)))


# Python 3.12 and later have a faster one, written in C.
dot: Callable[[Row, Row], float]
dot = getattr(math, "sumprod", sum_of_products)


class Node:
    """A matrix, row by row, and its gradient."""

    __slots__ = ("data", "grad")

    def __init__(self, data: Rows) -> None:
        self.data = data
        self.grad: Rows = []

    def add_grad(self, rows: Rows) -> None:
        """Add to `grad`, as a matrix may be used more than once."""
        self.grad = add_matrices(self.grad, rows) if self.grad else rows


Matrix = Node  # its name until version 0.2


class Tape:
    """Records operations on matrices, to go back through them.

    Each operation appends a function to `backward_steps`: given
    the gradient of its result, it adds to the operands' gradients.
    `backward` calls these functions, the last one first.
    """

    def __init__(self) -> None:
        self.backward_steps: list[Callable[[], None]] = []

    def backward(self) -> None:
        """Fill `grad` of all that the loss was computed from."""
        for step in reversed(self.backward_steps):
            step()

    def take_rows(self, table: Node, indices: Sequence[int]) -> Node:
        """Copy rows of a table, such as the embeddings of tokens."""
        y = Node([table.data[i] for i in indices])

        def backward() -> None:
            grad = [[0.0] * len(row) for row in table.data]
            for i, slopes in zip(indices, y.grad, strict=True):
                (grad[i],) = add_matrices([grad[i]], [slopes])
            table.add_grad(grad)

        self.backward_steps.append(backward)
        return y

    def add(self, a: Node, b: Node) -> Node:
        """Add two matrices: both get the derivative of the sum."""
        y = Node(add_matrices(a.data, b.data))

        def backward() -> None:
            a.add_grad(y.grad)
            b.add_grad(y.grad)

        self.backward_steps.append(backward)
        return y

    def linear(self, x: Node, weight: Node) -> Node:
        """Map each row by an out × in matrix."""
        y = Node(dot_products(x.data, weight.data))

        def backward() -> None:
            x.add_grad(dot_products(y.grad, columns(weight.data)))
            weight.add_grad(dot_products(columns(y.grad), columns(x.data)))

        self.backward_steps.append(backward)
        return y

    def relu(self, x: Node) -> Node:
        """Replace negative numbers by 0."""
        y = Node([[max(0.0, xi) for xi in row] for row in x.data])

        def backward() -> None:
            grad = [
                [slope if xi > 0 else 0.0 for xi, slope in zip(*rows)]
                for rows in zip(x.data, y.grad, strict=True)
            ]
            x.add_grad(grad)

        self.backward_steps.append(backward)
        return y

    def rmsnorm(self, x: Node) -> Node:
        """Scale each row to a root mean square of 1.

        With y = s·x, of n numbers, dx = s·(dy − y·mean(y·dy)).
        """
        squares = [dot(row, row) / len(row) for row in x.data]
        scales = [(square + 1e-5) ** -0.5 for square in squares]
        rows = zip(scales, x.data, strict=True)
        y = Node([[scale * xi for xi in row] for scale, row in rows])

        def backward() -> None:
            grad = []
            rows = zip(scales, y.data, y.grad, strict=True)
            for scale, row, slopes in rows:
                mean_product = dot(row, slopes) / len(row)
                pairs = zip(row, slopes)
                grad.append(
                    [scale * (dy - yi * mean_product) for yi, dy in pairs]
                )
            x.add_grad(grad)

        self.backward_steps.append(backward)
        return y

    def attend(
        self, queries: Node, keys: Node, values: Node, head_dim: int
    ) -> Node:
        """Average values, head by head, as the keys match the query.

        A position sees itself and those before. Later ones are cut off:
        `microgpt.attention.attend` never has them in its cache.
        """
        scale = head_dim**-0.5
        starts = range(0, len(queries.data[0]), head_dim)
        heads = [slice(start, start + head_dim) for start in starts]
        weights_of_heads, gathered = [], []
        for head in heads:
            query_rows = head_columns(queries.data, head)
            scores = dot_products(query_rows, head_columns(keys.data, head))
            weights = [
                softmax([score * scale for score in row[: t + 1]])
                + [0.0] * (len(row) - t - 1)
                for t, row in enumerate(scores)
            ]
            weights_of_heads.append(weights)
            value_columns = columns(head_columns(values.data, head))
            gathered.append(dot_products(weights, value_columns))
        y = Node(join_columns(gathered))

        def backward() -> None:
            d_queries, d_keys, d_values = [], [], []
            for head, weights in zip(heads, weights_of_heads, strict=True):
                dy = head_columns(y.grad, head)
                value_rows = head_columns(values.data, head)
                d_weights = dot_products(dy, value_rows)
                d_scores = [
                    softmax_backward(*rows, scale)
                    for rows in zip(weights, d_weights, strict=True)
                ]
                key_columns = columns(head_columns(keys.data, head))
                d_queries.append(dot_products(d_scores, key_columns))
                query_columns = columns(head_columns(queries.data, head))
                d_keys.append(
                    dot_products(columns(d_scores), query_columns)
                )
                d_values.append(dot_products(columns(weights), columns(dy)))
            queries.add_grad(join_columns(d_queries))
            keys.add_grad(join_columns(d_keys))
            values.add_grad(join_columns(d_values))

        self.backward_steps.append(backward)
        return y

    def loss(self, logits: Node, targets: Sequence[int]) -> float:
        """Return the mean of −log p(target), in nats.

        The gradient of a logit is p, less 1 for the target.
        """
        probabilities = [softmax(row) for row in logits.data]
        count = len(targets)

        def backward() -> None:
            grad = [list(row) for row in probabilities]
            for row, target in zip(grad, targets, strict=True):
                row[target] -= 1
            logits.add_grad([[x / count for x in row] for row in grad])

        self.backward_steps.append(backward)
        pairs = zip(probabilities, targets)
        p_targets = [row[target] for row, target in pairs]
        if not all(p > INFINITE_LOSS_PROBABILITY for p in p_targets):
            return math.inf
        return -sum(map(math.log, p_targets)) / count


def dot_products(
    rows: Iterable[Row],
    others: Rows,
) -> list[list[float]]:
    """Return the dot product of each row with each of the others."""
    return [[dot(row, other) for other in others] for row in rows]


def columns(rows: Rows) -> list[Row]:
    """Return the columns of a matrix, as rows."""
    return list(zip(*rows, strict=True))


def head_columns(rows: Rows, head: slice) -> list[Row]:
    """Return the columns that belong to a head."""
    return [row[head] for row in rows]


def join_columns(parts: Iterable[Rows]) -> list[list[float]]:
    """Put the columns of several heads side by side."""
    return [list(chain(*rows)) for rows in zip(*parts, strict=True)]


def add_matrices(a: Rows, b: Rows) -> list[list[float]]:
    """Add two matrices."""
    pairs = zip(a, b, strict=True)
    return [list(map(add, *rows)) for rows in pairs]


def softmax(scores: Row) -> list[float]:
    """Turn any numbers into probabilities: positive, adding up to 1."""
    largest = max(scores)
    exps = [math.exp(score - largest) for score in scores]
    scale = 1 / sum(exps)
    return [exp * scale for exp in exps]


def softmax_backward(p: Row, dp: Row, scale: float) -> list[float]:
    """Return the gradient of x, where p = softmax(scale·x)."""
    mean = dot(p, dp)
    pairs = zip(p, dp, strict=True)
    return [scale * pi * (dpi - mean) for pi, dpi in pairs]
