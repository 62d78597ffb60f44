"""What several pictures draw: a graph of the package's own Values, with its gradients."""

import math

from microgpt import Value
from pictures.drawing import Drawing, Point

RADIUS = 27


class ValueGraph:
    """(a + b) * a at a = 2 and b = 3, after backward, and where each node stands."""

    def __init__(self) -> None:
        a, b = Value(2.0), Value(3.0)
        c = a + b
        d = c * a
        d.backward()
        self.nodes = {"a": a, "b": b, "c": c, "d": d}
        self.places = {"a": (60, 62), "b": (60, 208), "c": (240, 170), "d": (420, 80)}

    def edges(self) -> list[tuple[str, str, float]]:
        """Return operand, result and local gradient of each edge, results in order."""
        name = {node: each for each, node in self.nodes.items()}
        return [
            (name[child], name[node], slope)
            for node in self.nodes.values()
            for child, slope in zip(node._children, node._local_grads, strict=True)
        ]

    def draw(self, sheet: Drawing, *, arrows: bool = True) -> None:
        """Draw the nodes with their data inside, and the edges between them."""
        for name, node in self.nodes.items():
            x, y = self.places[name]
            role = "activation" if node._children else "data"
            sheet.dot(x, y, RADIUS, f"{role} ring")
            sheet.text(x, y + 6, f"{node.data:g}", f"{role} strong")
            sheet.text(x, y - 36, name, "small")
        for child, parent, _ in self.edges() if arrows else ():
            sheet.arrow(*self.between(child, parent))

    def between(self, child: str, parent: str) -> tuple[Point, Point]:
        """Return where an edge leaves a node's circle, and where it meets the next."""
        (x0, y0), (x1, y1) = self.places[child], self.places[parent]
        gap = (RADIUS + 4) / math.hypot(x1 - x0, y1 - y0)
        dx, dy = gap * (x1 - x0), gap * (y1 - y0)
        return (x0 + dx, y0 + dy), (x1 - dx, y1 - dy)
