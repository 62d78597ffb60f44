"""The graph in single steps: a node for each product and each sum.

The model is that of the lesson, lent this `dot` for a while.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from microgpt import attention, nn
from microgpt.autograd import Value
from microgpt.engines import dot as one_node
from microgpt.nn import Vector


class Engine(one_node.Engine):
    """The engine as taught, of a model with a larger graph."""

    def gradient(self, tokens: Sequence[int]) -> float:
        """Add the gradient of a document's loss to every `grad`."""
        with single_steps():
            return super().gradient(tokens)


def dot(a: Vector, b: Vector) -> Value:
    """Add up products: a node for each, and one for each addition."""
    total = a[0] * b[0]
    for ai, bi in zip(a[1:], b[1:], strict=True):
        total = total + ai * bi
    return total


@contextmanager
def single_steps() -> Iterator[None]:
    """Let whatever the lesson computes meanwhile call this `dot`."""
    callers = vars(nn), vars(attention)  # the names in these modules
    whole = nn.dot
    try:
        for names in callers:
            names["dot"] = dot
        yield
    finally:
        for names in callers:
            names["dot"] = whole
