"""More operations: a power, exp, log and ReLU, each with its slope at one point."""

import math
from collections.abc import Callable
from contextlib import suppress

from microgpt import Value
from pictures.chart import Axis
from pictures.drawing import WIDTH, Drawing

Operation = Callable[[Value], Value]
Limits = tuple[float, float, float, float]  # of x and of y

# What is written above, the operation, its axes, and the point of its tangent.
CURVES: tuple[tuple[str, Operation, Limits, float], ...] = (
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
    for place, (name, operation, limits, at) in enumerate(CURVES):
        left, (x0, x1, y0, y1) = place * wide + (wide - SIZE) / 2, limits
        x, y = Axis(x0, x1, left, left + SIZE), Axis(y0, y1, TOP + SIZE, TOP)
        draw_curve(sheet, x, y, operation)
        node = operation(Value(at))
        (slope,) = node._local_grads
        corner = name == "relu"
        if corner:  # the other slope that it could have there
            sheet.line([(x(0), y(0)), (x(0.9), y(0.9))], "gradient dashed")
        reach = 0.9 / math.hypot(1, slope)
        ends = [(x(at + d), y(node.data + slope * d)) for d in (-reach, reach)]
        sheet.line(ends, "gradient thick")
        sheet.dot(x(at), y(node.data), 4, "gradient")
        middle = left + SIZE / 2
        sheet.text(middle, 22, name, "strong")
        said = "0, or 1?" if corner else f"slope {slope:.3g}"
        sheet.text(middle, TOP + SIZE + 26, said, "gradient small")
    return sheet


def draw_curve(sheet: Drawing, x: Axis, y: Axis, operation: Operation) -> None:
    """Draw the axes, and the operation where it has a value within them."""
    sheet.line([(x.start, y(0)), (x.end, y(0))], "soft")
    sheet.line([(x(0), y.start), (x(0), y.end)], "soft")
    points = []
    for i in range(POINTS + 1):
        at = x.first + (x.last - x.first) * i / POINTS
        with suppress(ValueError):  # log, up to 0
            value = operation(Value(at)).data
            if y.first <= value <= y.last:
                points.append((x(at), y(value)))
    sheet.line(points, "data thick")
