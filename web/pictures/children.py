"""A Value in memory: the result of a product, and the two objects it holds on to."""

from microgpt import Value
from pictures.drawing import Drawing


def draw() -> Drawing:
    """Draw c = a * b with its attributes, and arrows from its children to a and b."""
    a, b = Value(2.0), Value(3.0)
    c = a * b
    sheet = Drawing(210)
    sheet.box(24, 30, 220, 160, "activation")
    sheet.text(134, 20, "c", "activation strong")
    slopes = ", ".join(f"{slope:g}" for slope in c._local_grads)
    for y, name, value, role in (
        (62, "data", f"{c.data:g}", "activation"),
        (96, "grad", f"{c.grad:g}", "gradient"),
        (130, "children", "", ""),
        (164, "local grads", slopes, "gradient"),
    ):
        sheet.label(40, y, name)
        sheet.text(190, y, value, f"{role} strong")
    for name, child, x, y in (("a", a, 180, 66), ("b", b, 198, 154)):
        sheet.dot(x, 125, 4)
        sheet.arrow((x + 6, 125), (366, y))
        sheet.dot(400, y, 28, "data ring")
        sheet.text(400, y + 6, f"{child.data:g}", "data strong")
        sheet.text(446, y + 6, name, "data strong")
    return sheet
