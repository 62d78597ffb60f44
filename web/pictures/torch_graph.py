"""One graph with two names for each node: a Value's, and PyTorch's."""

from microgpt import Value
from pictures.drawing import Drawing

NODES = {  # where each stands, and what PyTorch calls it
    "a": (80, 236, "AccumulateGrad"),
    "b": (280, 236, "AccumulateGrad"),
    "a · b": (280, 136, "MulBackward0"),
    "c": (180, 36, "AddBackward0"),
}
EDGES = (("a", "a · b"), ("b", "a · b"), ("a · b", "c"), ("a", "c"))


def draw() -> Drawing:
    """Draw the graph of a · b + a, from its result down to what was put in."""
    a, b = Value(2.0), Value(3.0)
    product = a * b
    c = product + a
    c.backward()
    sheet = Drawing(296)
    for low, high in EDGES:
        (x0, y0, _), (x1, y1, _) = NODES[low], NODES[high]
        sheet.arrow((x0 + 40 * (x1 > x0), y0 - 22), (x1 - 50 * (x0 < x1), y1 + 32))
    for (name, (x, y, theirs)), node in zip(NODES.items(), (a, b, product, c)):
        role = "parameter" if name in "ab" else "activation"
        said = f"{name} = {node.data:g}"
        sheet.block(x - 56, y - 20, 112, 46, said, f"{role} strong", down=-3)
        sheet.text(x, y + 18, f"grad {node.grad:g}", "gradient small")
        if name in "ab":
            sheet.text(x, y + 46, theirs, "small")
        else:
            sheet.label(x + 64, y + 8, theirs)
    return sheet
