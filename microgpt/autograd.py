"""Automatic differentiation: numbers that remember their origin."""

from __future__ import annotations

import math
from collections.abc import Iterable


class Value:
    """A number, the numbers it was computed from, and its derivative.

    `data` is the number. `grad` is the derivative of an output with
    respect to it; calling `backward` on that output adds it up. A value
    made by an operation keeps its operands in `_children`, its own
    derivative with respect to each in `_local_grads`, and the name of
    the operation in `_op`. The interface is that of micrograd
    (Karpathy, 2020).
    """

    __slots__ = ("_children", "_local_grads", "_op", "data", "grad")

    def __init__(
        self,
        data: float,
        children: tuple[Value, ...] = (),
        local_grads: tuple[float, ...] = (),
        op: str = "",
    ) -> None:
        self.data, self.grad = data, 0.0
        self._children = children
        self._local_grads = local_grads
        self._op = op

    def __repr__(self) -> str:
        return f"Value(data={self.data:.6g}, grad={self.grad:.6g})"

    def __add__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        total = self.data + other.data
        return Value(total, (self, other), (1.0, 1.0), "add")

    def __mul__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        a, b = self.data, other.data
        return Value(a * b, (self, other), (b, a), "multiply")

    def __pow__(self, exponent: float) -> Value:
        """Raise to a constant power; the exponent gets no gradient."""
        if isinstance(exponent, Value):
            return NotImplemented
        if self.data < 0 and exponent % 1:
            raise ValueError(
                f"({self.data:g}) ** {exponent:g} is not a real number:"
                " use a whole exponent"
            )
        if self.data == 0 and exponent < 1 and exponent:
            raise ZeroDivisionError(
                f"0 ** {exponent:g} has no finite slope: use another base"
            )
        slope = exponent * self.data ** (exponent - 1) if exponent else 0.0
        op = f"power {exponent:g}"
        return Value(self.data**exponent, (self,), (slope,), op)

    def __rpow__(self, base: float) -> Value:
        """Raise a constant, positive base to this power."""
        if base <= 0:
            raise ValueError(f"expected a positive base, got {base:g}")
        result = base**self.data
        slope = math.log(base) * result
        return Value(result, (self,), (slope,), f"{base:g} to the power")

    def log(self) -> Value:
        """Return the natural logarithm; `data` must be positive."""
        if self.data <= 0:
            raise ValueError(
                f"log needs a number above 0, such as 2, got {self.data:g}"
            )
        return Value(math.log(self.data), (self,), (1 / self.data,), "log")

    def exp(self) -> Value:
        """Return e to the power of self, which is also its own slope."""
        result = math.exp(self.data)
        return Value(result, (self,), (result,), "exp")

    def relu(self) -> Value:
        """Return max(0, self); its slope at 0 is 0, as is usual."""
        slope = float(self.data > 0)
        return Value(max(0.0, self.data), (self,), (slope,), "relu")

    @staticmethod
    def sum(values: Iterable[Value]) -> Value:
        """Add any number of values in one node, from left to right.

        Python's own sum() rounds differently from version to version.
        """
        children = tuple(values)
        total = 0.0
        for child in children:
            total += child.data
        return Value(total, children, (1.0,) * len(children), "add")

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other: Value | float) -> Value:
        return self + (-other)

    def __rsub__(self, other: float) -> Value:
        return -self + other

    def __truediv__(self, other: Value | float) -> Value:
        return self * other**-1

    def __rtruediv__(self, other: float) -> Value:
        return self**-1 * other

    def backward(self) -> None:
        """Add d(self)/d(node) to the `grad` of each node of its graph.

        `self.grad` becomes 1. Call this once per graph: between self
        and the leaves, a `grad` left from before would be passed on.
        """
        self.grad = 1.0
        for node in reversed(topological_order(self)):
            for child, local_grad in zip(node._children, node._local_grads):
                child.grad += local_grad * node.grad


def topological_order(output: Value) -> list[Value]:
    """Return the nodes that `output` is made of, children first.

    This is a depth-first search, linear in the number of nodes and
    edges. It keeps its path in a list, not on Python's call stack, so
    a graph may be of any depth.
    """
    order: list[Value] = []
    seen = {output}
    path = [(output, iter(output._children))]
    while path:
        node, children = path[-1]
        for child in children:
            if child not in seen:
                seen.add(child)
                path.append((child, iter(child._children)))
                break
        else:
            order.append(node)
            path.pop()
    return order
