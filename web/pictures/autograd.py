"""The pictures of Step 2, in the order of its pages."""

import math

from microgpt import Value
from pictures.drawing import Drawing

RADIUS = 27


def remembering(sheet: Drawing) -> None:
    """Draw numbers computed forward, and gradients computed backward."""
    a, b = Value(2.0), Value(3.0)
    c = a + b
    d = c * a
    d.backward()
    places = {a: (60, 62), b: (60, 208), c: (240, 170), d: (420, 80)}
    for name, (node, (x, y)) in zip("abcd", places.items(), strict=True):
        role = "activation" if node._children else "data"
        sheet.dot(x, y, RADIUS, f"{role} ring")
        sheet.text(x, y + 6, f"{node.data:g}", f"{role} strong")
        sheet.text(x, y - 36, name, "small")
        sheet.text(x, y + 48, f"grad {node.grad:g}", "gradient small strong")
        for child in node._children:
            x0, y0 = places[child]
            gap = (RADIUS + 4) / math.hypot(x - x0, y - y0)  # outside the circles
            dx, dy = gap * (x - x0), gap * (y - y0)
            sheet.arrow((x0 + dx, y0 + dy), (x - dx, y - dy))
    sheet.text(150, 222, "+", "large")
    sheet.text(330, 152, "×", "large")
    sheet.arrow((110, 20), (250, 20), "activation", weight=2)
    sheet.label(262, 25, "compute", "activation")
    sheet.arrow((420, 262), (230, 262), "gradient", weight=2)
    sheet.text(214, 267, "walk back", "gradient small end")


def rectangle(sheet: Drawing) -> None:
    """Draw the product rule: a rectangle whose sides grow by a strip each."""
    a, b = 2, 3  # the sides
    scale, strip = 68, 20  # pixels for a unit, and the width of a strip
    x, y, wide, high = 110, 16, scale * b, scale * a
    sheet.box(x, y, wide, high, "activation", strength=0.15)
    sheet.text(x + wide / 2, y + high / 2 + 6, "a · b = 6", "activation strong")
    sheet.box(x, y + high, wide, strip, "gradient", strength=0.45)
    sheet.box(x + wide, y, strip, high, "gradient", strength=0.45)
    sheet.text(x - 14, y + high / 2 + 6, "a = 2", "data end")
    sheet.text(x + wide / 2, y + high + 50, "b = 3", "data")
    sheet.label(x + wide + 34, y + high / 2 - 8, "b grows:")
    sheet.text(x + wide + 34, y + high / 2 + 14, "slope a", "gradient start")
    sheet.text(x - 14, y + high + 14, "a grows:", "small end")
    sheet.text(x - 14, y + high + 36, "slope b", "gradient end")
