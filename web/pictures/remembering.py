"""Autograd: numbers computed forward, and gradients that came back."""

from pictures.drawing import Drawing
from pictures.value_graph import ValueGraph


def draw() -> Drawing:
    """Draw the graph of (a + b) * a with the gradient of each number below it."""
    graph, sheet = ValueGraph(), Drawing(290)
    graph.draw(sheet)
    for name, node in graph.nodes.items():
        x, y = graph.places[name]
        sheet.text(x, y + 48, f"grad {node.grad:g}", "gradient small strong")
    sheet.text(150, 222, "+", "large")
    sheet.text(330, 152, "×", "large")
    sheet.arrow((110, 20), (250, 20), "activation", weight=2)
    sheet.label(262, 25, "compute", "activation")
    sheet.arrow((420, 262), (230, 262), "gradient", weight=2)
    sheet.text(214, 267, "walk back", "gradient small end")
    return sheet
