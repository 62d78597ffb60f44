"""A dot product in single steps, and as one node: the same number, the same gradients."""

from microgpt import Value
from microgpt.engines import value
from microgpt.nn import dot
from pictures.drawing import Drawing, Point

A, B = [1.0, 2.0], [3.0, -4.0]
HIGH, GAP = 44, 62  # pixels: a box, and from one leaf to the next


def draw() -> Drawing:
    """Draw both graphs after `backward`, side by side."""
    sheet = Drawing(316)
    for left, right, how, title in (
        (2, 214, value.dot, "made: 3 nodes, 6 edges"),
        (284, 422, dot, "made: 1 node, 4 edges"),
    ):
        a, b = [Value(x) for x in A], [Value(x) for x in B]
        z = how(a, b)
        z.backward()
        leaves = [a[0], b[0], a[1], b[1]]
        places = [(left, 42 + GAP * row) for row in range(4)]
        end = (right, 42 + 1.5 * GAP)
        made = [n for n in z._children if n not in leaves]
        for i, product in enumerate(made):
            at = (left + 104, 42 + GAP * (2 * i + 0.5))
            for leaf, place in zip(leaves[2 * i :], places[2 * i : 2 * i + 2]):
                edge(sheet, place, at, product, leaf)
            edge(sheet, at, end, z, product)
            node(sheet, at, product, "×", "activation")
        if not made:
            for leaf, place in zip(leaves, places):
                edge(sheet, place, end, z, leaf)
        for name, leaf, place in zip(("a₀", "b₀", "a₁", "b₁"), leaves, places):
            node(sheet, place, leaf, name, "parameter")
        node(sheet, end, z, "+" if made else "dot", "activation")
        sheet.text((left + right + 54) / 2, 22, title, "small")
    said = "in each box: its number, and below it its gradient"
    sheet.text(240, 308, said, "small soft")
    return sheet


def node(sheet: Drawing, at: Point, shown: Value, name: str, role: str) -> None:
    """Draw a node's number and its gradient, and beside them what it is called."""
    x, y = at
    sheet.box(x, y, 54, HIGH, role)
    sheet.label(x + 5, y + 27, name, role)
    sheet.text(x + 50, y + 18, f"{shown.data:g}", "small end")
    sheet.text(x + 50, y + 37, f"{shown.grad:g}", "gradient small end")


def edge(sheet: Drawing, start: Point, end: Point, made: Value, child: Value) -> None:
    """Draw an edge, with its local gradient above it."""
    (x0, y0), (x1, y1) = start, end
    sheet.arrow((x0 + 56, y0 + HIGH / 2), (x1 - 2, y1 + HIGH / 2))
    local = made._local_grads[made._children.index(child)]
    x, y = x0 + 56 + 0.42 * (x1 - x0 - 58), y0 + HIGH / 2 + 0.42 * (y1 - y0)
    sheet.text(x, y - 5, f"{local:g}", "small soft")
