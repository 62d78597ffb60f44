"""Attention: what a token gathers from itself and those before it."""

from dataclasses import dataclass, field

from microgpt.nn import Matrix, Vector, dot, softmax


@dataclass
class Cache:
    """The keys and values of the tokens read so far, in one layer.

    Both are of shape (tokens, n_embd).
    """

    keys: Matrix = field(default_factory=list)
    values: Matrix = field(default_factory=list)


def attend(query: Vector, keys: Matrix, values: Matrix) -> Vector:
    """Average the values by how well their keys match the query.

    Scaled dot-product attention (Vaswani et al., 2017, section 3.2.1).
    `keys` and `values` are (tokens, n); `query` and the result, (n,).
    """
    scale = len(query) ** -0.5
    weights = softmax([dot(query, key) * scale for key in keys])
    columns = zip(*values, strict=True)
    return [dot(weights, list(column)) for column in columns]
