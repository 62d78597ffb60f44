"""Backward: the four edges of (a + b) * a, in the order in which gradients pass them."""

from pictures.drawing import Drawing
from pictures.value_graph import ValueGraph


def draw() -> Drawing:
    """Draw the graph with an arrow back along each edge: slope times gradient."""
    graph, sheet = ValueGraph(), Drawing(280)
    graph.draw(sheet, arrows=False)
    places = ((332, 168), (240, 58), (156, 110), (140, 232))
    back = sorted(graph.edges(), key=lambda edge: -list(graph.nodes).index(edge[1]))
    for i, (child, parent, slope) in enumerate(back):
        start, end = graph.between(child, parent)
        sheet.arrow(end, start, "gradient", weight=2)
        said = f"{i + 1}: {slope:g} × {graph.nodes[parent].grad:g}"
        sheet.label(*places[i], said, "gradient")
    for name, node in graph.nodes.items():
        x, y = graph.places[name]
        sheet.text(x, y + 48, f"grad {node.grad:g}", "gradient small strong")
    return sheet
