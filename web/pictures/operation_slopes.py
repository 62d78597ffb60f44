"""More operations: a power, exp, log and ReLU, each with its slope at one point."""

from __future__ import annotations

import math
from collections.abc import Callable

from microgpt import Value
from pictures.drawing import WIDTH, Drawing

# What is written above, the operation, its axes, and the point of its tangent.
CURVES: tuple[
    tuple[str, Callable[[Value], Value], tuple[float, float, float, float], float], ...
] = (
    ("x²", lambda x: x**2, (-2, 2, -1, 4), 1.0),
    ("exp", lambda x: x.exp(), (-2, 2, -1, 4), 1.0),
    ("log", lambda x: x.log(), (-0.5, 4, -2.5, 2), 1.0),
    ("relu", lambda x: x.relu(), (-2, 2, -1, 3), 0.0),
)
SIZE, TOP = 104, 34  # pixels
POINTS = 40


def draw() -> Drawing:
    """Draw four small plots; at its corner ReLU has two slopes to choose from."""
    sheet = Drawing(176)
    wide = WIDTH / len(CURVES)
    for place, (name, operation, (x0, x1, y0, y1), at) in enumerate(CURVES):
        left = place * wide + (wide - SIZE) / 2

        def spot(x: float, y: float) -> tuple[float, float]:
            across, up = (x - x0) / (x1 - x0), (y - y0) / (y1 - y0)
            return left + SIZE * across, TOP + SIZE * (1 - up)

        sheet.line([spot(x0, 0), spot(x1, 0)], look="soft")
        sheet.line([spot(0, y0), spot(0, y1)], look="soft")
        inside = [x0 + (x1 - x0) * i / POINTS for i in range(POINTS + 1)]
        shown = [x for x in inside if name != "log" or x > math.exp(y0)]
        curve = [(x, operation(Value(x)).data) for x in shown]
        sheet.line([spot(x, y) for x, y in curve if y <= y1], "data", look="thick")
        node = operation(Value(at))
        (slope,) = node._local_grads
        reach = 0.9 / math.hypot(1, slope)
        ends = [spot(at + d, node.data + slope * d) for d in (-reach, reach)]
        if name == "relu":
            ends[1] = spot(at + 0.9, node.data)
            other = [spot(at, node.data), spot(at + 0.9, node.data + 0.9)]
            sheet.line(other, "gradient", look="dashed")
        sheet.line(ends, "gradient", look="thick")
        sheet.dot(*spot(at, node.data), 4, "gradient")
        sheet.text(left + SIZE / 2, 22, name, look="strong")
        said = f"slope {slope:.3g}" if name != "relu" else "0 (or 1?)"
        sheet.text(left + SIZE / 2, TOP + SIZE + 26, said, "gradient", look="small")
    return sheet
