"""The graph of an expression, as the package computes it."""

from __future__ import annotations

import math
from typing import TypedDict

from microgpt.autograd import Value
from microgpt.cli.expression import ExpressionError, read
from microgpt.cli.graph import number
from widgets._drawing import Drawing, GraphEdge, GraphNode, listed, short

LARGEST = 40


class GraphInput(TypedDict):
    """A number that the reader may move, and how far."""

    node: int
    name: str
    value: float
    place: tuple[int, int]
    low: float
    high: float
    step: float


class Graph(TypedDict):
    """A graph of `Value`s after `backward`; `says` tells about each of its nodes."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    says: list[list[str]]
    inputs: list[GraphInput]
    summary: str


def graph(expression: str) -> Graph:
    """Evaluate an expression and call `backward` on its result."""
    drawing = Drawing(expression, LARGEST)
    drawing.output.backward()
    drawing.refuse_infinite_gradients()
    inputs = inputs_of(drawing)
    measured = {
        drawing.order[x["node"]]: measure(drawing, x["value"], x["place"])
        for x in inputs
    }
    return Graph(
        nodes=drawing.nodes(),
        edges=drawing.edges(),
        says=[says(drawing, node, measured.get(node)) for node in drawing.order],
        inputs=inputs,
        summary=summary(drawing),
    )


def inputs_of(drawing: Drawing) -> list[GraphInput]:
    """Return the numbers that stand in the text and became a `Value` there."""
    found = []
    places = drawing.formula.places
    for node in sorted(places, key=places.__getitem__):
        if node._children or node not in drawing.ids:
            continue
        # Half as far again as the number is from 0, rounded up; no less than 5.
        size = max(abs(node.data) * 1.5, 5.0)
        unit = 10.0 ** math.floor(math.log10(size))
        bound = next(unit * i for i in (1, 2, 5, 10) if unit * i >= size)
        found.append(
            GraphInput(
                node=drawing.ids[node],
                name=drawing.names(node) or drawing.source(node),
                value=node.data,
                place=places[node],
                low=-bound,
                high=bound,
                step=bound / 50,
            )
        )
    return found


def nudge_for(x: float) -> float:
    """Return a small step: 0.1, or for large numbers a tenth of their magnitude."""
    return float(10.0 ** (math.floor(math.log10(max(abs(x), 1.0))) - 1))


def measure(drawing: Drawing, x: float, place: tuple[int, int]) -> float | None:
    """Return how far the result moves when an input does; None where it has no value."""
    start, end = place
    text = drawing.text
    moved = f"{text[:start]}({x + nudge_for(x)!r}){text[end:]}"
    try:
        return read(moved).result.data - drawing.output.data
    except ExpressionError:
        return None


def says(drawing: Drawing, node: Value, measured: float | None) -> list[str]:
    """Tell what a node is, and what its gradient means."""
    is_output = node is drawing.output
    return [
        origin(drawing, node),
        *([] if is_output else [meaning(drawing, node)]),
        *([] if measured is None or is_output else [verdict(node, measured)]),
    ]


def origin(drawing: Drawing, node: Value) -> str:
    """Say what the number of a node was made from."""
    name, source = drawing.names(node), drawing.source(node)
    data = number(node.data)
    if not node._children:
        if not name:
            return f"{data} is a number without a name. It became a node of its own."
        return f"{name} is {data}, an input."
    head = " = ".join(filter(None, [name, source or node._op]))
    operands = [
        f"{drawing.called(child)} (local gradient {number(local_grad)})"
        for child, local_grad in zip(node._children, node._local_grads)
    ]
    end = ". The result: its own gradient is 1." if node is drawing.output else "."
    return f"{head} is {data}, made from {listed(operands)}{end}"


def meaning(drawing: Drawing, node: Value) -> str:
    """Say what the gradient of a node foretells."""
    it = drawing.names(node) or "it"
    result = drawing.names(drawing.output) or "the result"
    nudge = nudge_for(node.data)
    foretold = node.grad * nudge
    moves = "stays about where it is"
    if foretold:
        direction = "rises" if foretold > 0 else "falls"
        moves = f"{direction} by about {abs(foretold):.3g}"
    return (
        f"Gradient {number(node.grad)}: if {it} rises by {nudge:g}, {result} {moves}."
    )


def verdict(node: Value, measured: float) -> str:
    """Say what happened when it was tried."""
    if abs(measured) < 1e-12:
        return "Tried: it does not move."
    return f"Tried: it {'rises' if measured > 0 else 'falls'} by {abs(measured):.3g}."


def summary(drawing: Drawing) -> str:
    """Tell the result and the gradients of the inputs in one line."""
    result = drawing.names(drawing.output) or "The result"
    gradients = [
        f"{drawing.names(node)} {short(node.grad)}"
        for node in drawing.order
        if not node._children and drawing.names(node) and node is not drawing.output
    ]
    end = f" Gradients: {', '.join(gradients)}." if gradients else ""
    return f"{result} is {number(drawing.output.data)}.{end}"
