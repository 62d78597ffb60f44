"""What pictures of a graph show of each node and each edge, in words and numbers."""

import math
from typing import TypedDict

from microgpt import graph
from microgpt.autograd import Value, topological_order
from microgpt.expression import ExpressionError, Formula, read

LONGEST_TITLE = 12
ROOM = 8  # characters for a number


class GraphNode(TypedDict):
    """A node: its children first, as `topological_order` lists them."""

    title: str
    operation: str
    data: str
    grad: str
    input: bool
    place: tuple[int, int] | None


class GraphEdge(TypedDict):
    """An edge from a child to what was made of it, by their places in the order."""

    source: int
    target: int
    local_grad: str


class Drawing:
    """A graph, its nodes in topological order, and what they are called."""

    def __init__(self, text: str, largest: int, formula: Formula | None = None) -> None:
        self.text = text
        self.formula = formula or read(text)
        self.output = self.formula.result
        self.order = topological_order(self.output)
        if len(self.order) > largest:
            reason = f"the graph has {len(self.order)} nodes; {largest} fit in here"
            raise ExpressionError(reason, None)
        self.ids = {node: i for i, node in enumerate(self.order)}
        self.titles = [self.title(node) for node in self.order]

    def refuse_infinite_gradients(self) -> None:
        """Raise ExpressionError if `backward` has left a gradient without end."""
        for node in self.order:
            if not math.isfinite(node.grad):
                place = self.formula.places.get(node)
                at = place and place[0]
                where = f"character {at + 1}: " if at is not None else ""
                reason = f"{where}the gradient here is too large for a float"
                raise ExpressionError(reason, at)

    def grads(self) -> list[float]:
        """Return the gradients as they are now."""
        return [node.grad for node in self.order]

    def names(self, node: Value) -> str:
        """Return what the text calls a node, or "" if nothing."""
        named = self.formula.names.items()
        return ", ".join(name for name, value in named if value is node)

    def source(self, node: Value) -> str:
        """Return the part of the text that a node stands for, or "" if none."""
        start, end = self.formula.places.get(node, (0, 0))
        return " ".join(self.text[start:end].split())

    def title(self, node: Value) -> str:
        """Return a short name: the node's own, its part of the text, its operation."""
        source = self.source(node)
        if name := self.names(node):
            return name
        if not node._children:
            return "number"
        # A part of the text whose numbers can be moved would not keep its width.
        fits = self.formula.names and 0 < len(source) <= LONGEST_TITLE
        return source if fits else node._op

    def called(self, node: Value) -> str:
        """Return the title, or for a number without a name that number."""
        title = self.titles[self.ids[node]]
        return number(node.data) if title == "number" else title

    def nodes(self) -> list[GraphNode]:
        """Return what the boxes say."""
        places = self.formula.places
        return [
            GraphNode(
                title=title,
                operation="" if title == node._op else node._op,
                data=short(node.data),
                grad=short(node.grad),
                input=not node._children,
                place=places.get(node),
            )
            for node, title in zip(self.order, self.titles, strict=True)
        ]

    def edges(self) -> list[GraphEdge]:
        """Return the arrows, those to one node in the order of its operands."""
        return [
            GraphEdge(
                source=self.ids[child],
                target=self.ids[node],
                local_grad=short(local_grad),
            )
            for node in self.order
            for child, local_grad in zip(node._children, node._local_grads)
        ]


def number(x: float) -> str:
    """Write a number as sentences do, with a minus sign: a hyphen is for code."""
    return graph.number(x).replace("-", "−")


def short(x: float) -> str:
    """Write a number in at most eight characters, with four digits where they fit."""
    texts = (f"{x + 0.0:.{digits}g}" for digits in (4, 3, 2, 1))
    fits = next((text for text in texts if len(text) <= ROOM), f"{x:.0e}")
    return fits.replace("-", "−")


def listed(things: list[str]) -> str:
    """Join words as a sentence does: "a", "a and b", "a, b and c"."""
    *others, last = things
    return f"{', '.join(others)} and {last}" if others else last
