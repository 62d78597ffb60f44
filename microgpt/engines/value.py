"""The graph in single steps: a node for each product and each sum.

It is the lesson's model, whose layers call `elementary_dot` while
`use_elementary_dot` lasts.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from microgpt import attention, nn
from microgpt.autograd import Value
from microgpt.engines import dot as dot_engine
from microgpt.nn import Vector


class Engine(dot_engine.Engine):
    """The engine `dot`, with a graph of single steps."""

    def accumulate_gradient(self, tokens: Sequence[int]) -> float:
        """Add the gradient of a document's loss to every `grad`."""
        with use_elementary_dot():
            return super().accumulate_gradient(tokens)


def elementary_dot(a: Vector, b: Vector) -> Value:
    """Add up products: a node for each, and one for each addition."""
    total = a[0] * b[0]
    for ai, bi in zip(a[1:], b[1:], strict=True):
        total = total + ai * bi
    return total


@contextmanager
def use_elementary_dot() -> Iterator[None]:
    """Use `elementary_dot` for the lesson's `dot` in a `with` block.

    It is replaced for all threads.
    """
    namespaces = vars(nn), vars(attention)  # where the layers find it
    original = nn.dot
    try:
        for namespace in namespaces:
            namespace["dot"] = elementary_dot
        yield
    finally:
        for namespace in namespaces:
            namespace["dot"] = original
