"""RMSNorm in two dimensions: vectors before, and on one circle after."""

import cmath
import math

from pictures.drawing import Drawing

VECTORS = ((2.0, 1.0, "activation"), (0.6, 0.3, "activation"), (-0.5, 1.7, "gradient"))
UNIT, LOW = 66, 196  # pixels


def draw() -> Drawing:
    """Draw the vectors on the left, and what RMSNorm makes of them on the right."""
    sheet = Drawing(240)
    for middle, left, right, said in (
        (70, 10, 210, "before"),
        (350, 245, 455, "after"),
    ):
        sheet.text(middle, 228, said, "small soft")
        sheet.line([(left, LOW), (right, LOW)], "soft")
        sheet.line([(middle, LOW), (middle, 20)], "soft")
    radius = math.sqrt(2)  # a root mean square of 1, in two dimensions
    circle = [cmath.rect(UNIT * radius, cmath.pi * i / 40) for i in range(41)]
    sheet.line([(350 + point.real, LOW - point.imag) for point in circle], "dashed")
    for x, y, role in VECTORS:
        sheet.arrow((70, LOW), (70 + UNIT * x, LOW - UNIT * y), role, weight=2.5)
        scale = UNIT * radius / math.hypot(x, y)
        if x != 0.6:  # it would lie on the first
            end = 350 + x * scale, LOW - y * scale
            sheet.arrow((350, LOW), end, role, weight=2.5)
    return sheet
