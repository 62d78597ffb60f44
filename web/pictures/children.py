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
    rows = (
        ("data", f"{c.data:g}", "activation"),
        ("grad", f"{c.grad:g}", "gradient"),
        ("children", "", ""),
        ("local grads", slopes, "gradient"),
    )
    for i, (name, value, role) in enumerate(rows):
        y = 62 + 34 * i
        sheet.label(40, y, name)
        sheet.text(190, y, value, f"{role} strong")
    for i, (name, child) in enumerate((("a", a), ("b", b))):
        y = 66 + 88 * i
        sheet.dot(180 + 18 * i, 125, 4)
        sheet.arrow((186 + 18 * i, 125), (366, y), weight=1.5)
        sheet.dot(400, y, 28, "data ring")
        sheet.text(400, y + 6, f"{child.data:g}", "data strong")
        sheet.text(446, y + 6, name, "data strong")
    return sheet
