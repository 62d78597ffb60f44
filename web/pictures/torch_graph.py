"""One graph with two names for each node: a Value's, and PyTorch's."""

from microgpt import Value
from pictures.drawing import Drawing

PLACES = {"a": (80, 236), "b": (280, 236), "a · b": (280, 136), "c": (180, 36)}
THEIRS = {"a": "AccumulateGrad", "b": "AccumulateGrad", "a · b": "MulBackward0"}
EDGES = (("a", "a · b"), ("b", "a · b"), ("a · b", "c"), ("a", "c"))


def draw() -> Drawing:
    """Draw the graph of a · b + a, from its result down to what was put in."""
    a, b = Value(2.0), Value(3.0)
    product = a * b
    c = product + a
    c.backward()
    nodes = {"a": a, "b": b, "a · b": product, "c": c}
    sheet = Drawing(296)
    for low, high in EDGES:
        (x0, y0), (x1, y1) = PLACES[low], PLACES[high]
        sheet.arrow((x0 + 40 * (x1 > x0), y0 - 22), (x1 + 50 * (x0 < x1) * -1, y1 + 32))
    for name, (x, y) in PLACES.items():
        node, kept = nodes[name], name in "ab"
        role = "parameter" if kept else "activation"
        said = f"{name} = {node.data:g}"
        sheet.block(x - 56, y - 20, 112, 46, said, f"{role} strong", down=-3)
        grad = f"grad {node.grad:g}"
        sheet.text(x, y + 18, grad, "gradient small")
        theirs = THEIRS.get(name, "AddBackward0")
        if kept:
            sheet.text(x, y + 46, theirs, "small")
        else:
            sheet.label(x + 64, y + 8, theirs)
    return sheet
