"""RMSNorm in two dimensions: vectors before, and on one circle after."""

import math

from pictures.drawing import Drawing

VECTORS = ((2.0, 1.0), (0.6, 0.3), (-0.5, 1.7))
UNIT, LOW = 66, 196  # pixels


def draw() -> Drawing:
    """Draw the vectors on the left, and what RMSNorm makes of them on the right."""
    sheet = Drawing(240)
    for middle, left, right, said in (
        (70, 60, 140, "before"),
        (350, 105, 105, "after"),
    ):
        sheet.text(middle, 228, said, "small soft")
        sheet.line([(middle - left, LOW), (middle + right, LOW)], "soft")
        sheet.line([(middle, LOW), (middle, 20)], "soft")
    radius = math.sqrt(2)  # a root mean square of 1, in two dimensions
    turns = [math.pi * i / 40 for i in range(41)]
    circle = [
        (350 + UNIT * radius * math.cos(t), _y(radius * math.sin(t))) for t in turns
    ]
    sheet.line(circle, "dashed")
    for i, (x, y) in enumerate(VECTORS):
        role = ("activation", "activation", "gradient")[i]
        sheet.arrow((70, LOW), (70 + UNIT * x, _y(y)), role, weight=2.5)
        scale = radius / math.hypot(x, y)
        if i != 1:  # it would lie on the first
            end = (350 + UNIT * x * scale, _y(y * scale))
            sheet.arrow((350, LOW), end, role, weight=2.5)
    return sheet


def _y(up: float) -> float:
    return LOW - UNIT * up
