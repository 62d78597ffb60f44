"""The GPT of the lesson as textbooks write it, for comparison.

One node for each addition and each multiplication, a recursive topological sort, and
Python's garbage collector as Python sets it.
"""

import gc
from collections.abc import Iterable, Sequence
from unittest.mock import patch

from microgpt import Value, autograd, document_loss
from microgpt.engines import value


def chained_sum(values: Iterable[Value]) -> Value:
    """Return the sum of values, with a graph node for each addition."""
    first, *others = values
    for other in others:
        first = first + other
    return first


def recursive_topological_order(output: Value) -> list[Value]:
    """Return the nodes of the graph of `output`, children first."""
    order, seen = [], set()

    def visit(node: Value) -> None:
        if node not in seen:
            seen.add(node)
            for child in node._children:
                visit(child)
            order.append(node)

    visit(output)
    return order


class Engine(value.Engine):
    """The engine `value` without anything that makes it faster."""

    def accumulate_gradient(self, tokens: Sequence[int]) -> float:
        """Add the gradient of a document's loss to every `grad`; return the loss."""
        gc.enable()
        with (
            value.use_elementary_dot(),
            patch.object(Value, "sum", chained_sum),
            patch.object(autograd, "topological_order", recursive_topological_order),
        ):
            # As in a loop that assigns `loss`, a graph lives until the next is made.
            self.loss = document_loss(self.model, tokens)
            self.loss.backward()
        return self.loss.data
