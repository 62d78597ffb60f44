"""The graph of one dot product: in single steps, and as one node."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypedDict

from microgpt import nn
from microgpt.autograd import Value, topological_order
from microgpt.engines import value
from microgpt.nn import Vector
from widgets._drawing import GraphEdge, short

LONGEST = 4
LARGEST = 4.0  # the size of a number that a reader may choose


class DotNode(TypedDict):
    """A node: its name or its operation, and which element of a vector it is, if any."""

    title: str
    element: str
    data: str
    grad: str
    says: str


class DotSide(TypedDict):
    """A graph of the dot product after `backward`; `made` are the nodes that it made."""

    engine: str
    nodes: list[DotNode]
    edges: list[GraphEdge]
    made: int
    summary: str


class DotGraph(TypedDict):
    """Both graphs, and whether they agree."""

    sides: list[DotSide]
    verdict: str


def dot_graph(a: list[float], b: list[float]) -> DotGraph:
    """Multiply two vectors, in single steps and at once, and call `backward` on each."""
    if len(a) != len(b):
        raise ValueError("the two vectors need as many numbers")
    if not 1 <= len(a) <= LONGEST:
        raise ValueError(f"a vector has from 1 to {LONGEST} numbers here")
    if not all(math.isfinite(x) and abs(x) <= LARGEST for x in a + b):
        raise ValueError(f"choose numbers from −{LARGEST:g} to {LARGEST:g}")
    values = [Side("value", value.dot, a, b), Side("dot", nn.dot, a, b)]
    return DotGraph(sides=[side.shown() for side in values], verdict=verdict(*values))


class Side:
    """One of the two graphs."""

    def __init__(
        self,
        engine: str,
        dot: Callable[[Vector, Vector], Value],
        a: list[float],
        b: list[float],
    ) -> None:
        self.engine = engine
        # A browser's 3.0 arrives as the integer 3.
        vectors = [Value(float(x)) for x in a], [Value(float(x)) for x in b]
        self.output = dot(*vectors)
        self.output.backward()
        self.elements = {
            element: f"{name}[{i}]"
            for i, pair in enumerate(zip(*vectors, strict=True))
            for name, element in zip("ab", pair, strict=True)
        }
        self.order = topological_order(self.output)
        if self.output._children == (*vectors[0], *vectors[1]):
            self.order = [*self.elements, self.output]  # pair by pair, as in steps

    def shown(self) -> DotSide:
        """Return what the picture shows; the last edges first puts pairs in order."""
        places = {node: i for i, node in enumerate(self.order)}
        edges = [
            GraphEdge(
                source=places[child], target=places[node], local_grad=written(slope)
            )
            for node in self.order
            for child, slope in zip(node._children, node._local_grads, strict=True)
        ]
        edges.sort(key=lambda edge: (-edge["target"], -edge["source"]))
        return DotSide(
            engine=self.engine,
            nodes=[self.node(node) for node in self.order],
            edges=edges,
            made=len(self.order) - len(self.elements),
            summary=f"Engine {self.engine}: {count(len(self.order), 'node')},"
            f" {count(len(edges), 'edge')}",
        )

    def node(self, node: Value) -> DotNode:
        """Return what a box says."""
        element = self.elements.get(node, "")
        made_by = node._op
        data, grad = written(node.data), written(node.grad)
        return DotNode(
            title=element or made_by,
            element=element,
            data=data,
            grad=grad,
            says=f"{element or made_by}: data {data}, grad {grad}",
        )


def verdict(steps: Side, whole: Side) -> str:
    """Compare the results and the gradients of both graphs."""
    gradients = [
        {name: node.grad for node, name in side.elements.items()}
        for side in (steps, whole)
    ]
    gaps = [abs(steps.output.data - whole.output.data)]
    gaps += [abs(gradients[0][name] - gradients[1][name]) for name in gradients[0]]
    same = "the same" if max(gaps) < 1e-12 else "different"
    saved = len(steps.order) - len(whole.order)
    fewer = f"{count(saved, 'node')} fewer" if saved else "no node fewer"
    return f"One node instead of steps: {fewer}, {same} result and gradients."


def written(x: float) -> str:
    """Write a number without the dust of rounding."""
    return short(round(x, 9))


def count(number: int, thing: str) -> str:
    """Return "1 node", "2 nodes"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
