"""Automatic differentiation, with a matrix for a node.

A matrix is a list of rows of floats. Where `microgpt.autograd` makes a
node for each number, here there is one for each matrix. The derivative
of each operation stands beside it.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from operator import add, mul

from microgpt.engines.protocol import SMALLEST

Row = Sequence[float]
Rows = Sequence[Row]


def sum_of_products(a: Row, b: Row, /) -> float:
    """Add up the products of two vectors of equal length."""
    return float(sum(map(mul, a, b)))


# Python 3.12 and later have it in C.
Dot = Callable[[Row, Row], float]
dot: Dot = getattr(math, "sumprod", sum_of_products)


class Matrix:
    """Rows of numbers, and the derivative of the loss along each."""

    __slots__ = ("data", "grad")

    def __init__(self, data: Rows) -> None:
        self.data = data
        self.grad: Rows = []

    def add_grad(self, rows: Rows) -> None:
        """Add to the derivatives: a matrix may be used often."""
        self.grad = added(self.grad, rows) if self.grad else rows


class Tape:
    """Operations on matrices, and the way back through those done.

    Each notes a function that takes the derivatives of its result and
    adds to those of its operands. `backward` calls them, the last one
    first.
    """

    def __init__(self) -> None:
        self.undo: list[Callable[[], None]] = []

    def backward(self) -> None:
        """Find the derivative of the loss along every number used."""
        for step in reversed(self.undo):
            step()

    def rows(self, table: Matrix, numbers: Sequence[int]) -> Matrix:
        """Take rows of a table, such as the embeddings of tokens."""
        y = Matrix([table.data[i] for i in numbers])

        def backward() -> None:
            grad = [[0.0] * len(row) for row in table.data]
            for i, slopes in zip(numbers, y.grad, strict=True):
                (grad[i],) = added([grad[i]], [slopes])
            table.add_grad(grad)

        self.undo.append(backward)
        return y

    def add(self, a: Matrix, b: Matrix) -> Matrix:
        """Add two matrices: both get the derivative of the sum."""
        y = Matrix(added(a.data, b.data))

        def backward() -> None:
            a.add_grad(y.grad)
            b.add_grad(y.grad)

        self.undo.append(backward)
        return y

    def linear(self, x: Matrix, weight: Matrix) -> Matrix:
        """Map each row by an out × in matrix."""
        y = Matrix(product(x.data, weight.data))

        def backward() -> None:
            x.add_grad(product(y.grad, columns(weight.data)))
            weight.add_grad(product(columns(y.grad), columns(x.data)))

        self.undo.append(backward)
        return y

    def relu(self, x: Matrix) -> Matrix:
        """Cut off what is negative, and its derivative."""
        y = Matrix([[max(0.0, xi) for xi in row] for row in x.data])

        def backward() -> None:
            grad = [
                [slope if xi > 0 else 0.0 for xi, slope in zip(*rows)]
                for rows in zip(x.data, y.grad, strict=True)
            ]
            x.add_grad(grad)

        self.undo.append(backward)
        return y

    def rmsnorm(self, x: Matrix) -> Matrix:
        """Scale each row to a root mean square of 1.

        With y = s·x, of n numbers, dx = s·(dy − y·mean(y·dy)).
        """
        squares = [dot(row, row) / len(row) for row in x.data]
        scales = [(square + 1e-5) ** -0.5 for square in squares]
        rows = zip(scales, x.data, strict=True)
        y = Matrix([[scale * xi for xi in row] for scale, row in rows])

        def backward() -> None:
            grad = []
            rows = zip(scales, y.data, y.grad, strict=True)
            for scale, row, slopes in rows:
                along = dot(row, slopes) / len(row)
                pairs = zip(row, slopes)
                grad.append([scale * (dy - yi * along) for yi, dy in pairs])
            x.add_grad(grad)

        self.undo.append(backward)
        return y

    def attend(
        self, queries: Matrix, keys: Matrix, values: Matrix, head_dim: int
    ) -> Matrix:
        """Average values, head by head, as the keys match the query.

        A position sees itself and those before: later ones are cut off,
        which `microgpt.attention.attend` never had in its cache.
        """
        scale = head_dim**-0.5
        starts = range(0, len(queries.data[0]), head_dim)
        heads = [slice(start, start + head_dim) for start in starts]
        weights, gathered = [], []
        for head in heads:
            asking, asked = part(queries.data, head), part(keys.data, head)
            shares = [
                softmax([score * scale for score in row[: t + 1]])
                + [0.0] * (len(row) - t - 1)
                for t, row in enumerate(product(asking, asked))
            ]
            weights.append(shares)
            mixed = columns(part(values.data, head))
            gathered.append(product(shares, mixed))
        y = Matrix(joined(gathered))

        def backward() -> None:
            d_queries, d_keys, d_values = [], [], []
            for head, shares in zip(heads, weights, strict=True):
                slopes = part(y.grad, head)
                d_shares = product(slopes, part(values.data, head))
                d_scores = [
                    softmax_backward(*pair, scale)
                    for pair in zip(shares, d_shares, strict=True)
                ]
                asked = columns(part(keys.data, head))
                d_queries.append(product(d_scores, asked))
                asking = columns(part(queries.data, head))
                d_keys.append(product(columns(d_scores), asking))
                mixing = columns(shares)
                d_values.append(product(mixing, columns(slopes)))
            queries.add_grad(joined(d_queries))
            keys.add_grad(joined(d_keys))
            values.add_grad(joined(d_values))

        self.undo.append(backward)
        return y

    def loss(self, scores: Matrix, targets: Sequence[int]) -> float:
        """Return the mean of −log p(target), in nats.

        The derivative along a logit is p, less 1 for the target.
        """
        chances = [softmax(row) for row in scores.data]
        count = len(targets)

        def backward() -> None:
            grad = [list(row) for row in chances]
            for row, target in zip(grad, targets, strict=True):
                row[target] -= 1
            scores.add_grad([[x / count for x in row] for row in grad])

        self.undo.append(backward)
        right = [row[target] for row, target in zip(chances, targets)]
        if not all(p > SMALLEST for p in right):
            return math.inf
        return -sum(map(math.log, right)) / count


def product(rows: Iterable[Row], others: Rows) -> list[list[float]]:
    """Return the dot product of each row with each of the others."""
    return [[dot(row, other) for other in others] for row in rows]


def columns(rows: Rows) -> list[Row]:
    """Return the columns of a matrix, as rows."""
    return list(zip(*rows, strict=True))


def part(rows: Rows, head: slice) -> list[Row]:
    """Return those columns that belong to a head."""
    return [row[head] for row in rows]


def joined(parts: Iterable[Rows]) -> list[list[float]]:
    """Put the columns of several heads side by side."""
    return [list(chain(*rows)) for rows in zip(*parts, strict=True)]


def added(a: Rows, b: Rows) -> list[list[float]]:
    """Add two matrices."""
    pairs = zip(a, b, strict=True)
    return [list(map(add, *rows)) for rows in pairs]


def softmax(scores: Row) -> list[float]:
    """Turn any numbers into probabilities: positive, adding up to 1."""
    largest = max(scores)
    exps = [math.exp(score - largest) for score in scores]
    scale = 1 / sum(exps)
    return [exp * scale for exp in exps]


def softmax_backward(shares: Row, dy: Row, scale: float) -> list[float]:
    """Return the derivatives of scores that `scale` multiplied."""
    mean = dot(shares, dy)
    pairs = zip(shares, dy, strict=True)
    return [scale * share * (slope - mean) for share, slope in pairs]
