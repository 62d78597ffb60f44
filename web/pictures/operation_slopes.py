"""More operations: a power, exp, log and ReLU, each with its slope at one point."""

import math
from collections.abc import Callable
from contextlib import suppress

from microgpt import Value
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
        plot = Plot(place * wide + (wide - SIZE) / 2, limits)
        draw_curve(sheet, plot, operation)
        node = operation(Value(at))
        (slope,) = node._local_grads
        corner = name == "relu"
        if corner:  # the other slope that it could have there
            sheet.line(
                [plot.spot(0, 0), plot.spot(0.9, 0.9)], "gradient", look="dashed"
            )
        reach = 0.9 / math.hypot(1, slope)
        ends = [plot.spot(at + d, node.data + slope * d) for d in (-reach, reach)]
        sheet.line(ends, "gradient", look="thick")
        sheet.dot(*plot.spot(at, node.data), 4, "gradient")
        middle = plot.left + SIZE / 2
        sheet.text(middle, 22, name, look="strong")
        said = "0, or 1?" if corner else f"slope {slope:.3g}"
        sheet.text(middle, TOP + SIZE + 26, said, "gradient", look="small")
    return sheet


class Plot:
    """Where numbers stand in a small plot."""

    def __init__(self, left: float, limits: Limits) -> None:
        self.left, self.limits = left, limits

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point, in pixels."""
        x0, x1, y0, y1 = self.limits
        across, up = (x - x0) / (x1 - x0), (y - y0) / (y1 - y0)
        return self.left + SIZE * across, TOP + SIZE * (1 - up)


def draw_curve(sheet: Drawing, plot: Plot, operation: Operation) -> None:
    """Draw the axes, and the operation where it has a value within them."""
    x0, x1, y0, y1 = plot.limits
    sheet.line([plot.spot(x0, 0), plot.spot(x1, 0)], look="soft")
    sheet.line([plot.spot(0, y0), plot.spot(0, y1)], look="soft")
    points = []
    for i in range(POINTS + 1):
        x = x0 + (x1 - x0) * i / POINTS
        with suppress(ValueError):  # log, up to 0
            y = operation(Value(x)).data
            if y0 <= y <= y1:
                points.append(plot.spot(x, y))
    sheet.line(points, "data", look="thick")
