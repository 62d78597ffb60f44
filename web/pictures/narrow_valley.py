"""SGD, momentum and Adam go down the same narrow valley, each at a rate that suits it."""

import cmath
from collections.abc import Callable

from microgpt import SGD, Adam, Value
from pictures.drawing import Drawing

STEEPNESS = 50  # across; along, it is 1
START = (-4.0, 1.5)
BETA = 0.85
RINGS = (0.75, 2, 4, 6.5)
LEFT, ACROSS, UP, HIGH = 16, 448, 26.0, 118  # pixels: of all, of a unit, of a valley
STEPS = 40

Rule = Callable[[list[Value]], Callable[[float], None]]


def draw() -> Drawing:
    """Draw three valleys, one below the other, with a path in each."""
    sheet = Drawing(3 * HIGH + 6)
    for place, (said, rule, rate) in enumerate(
        (
            ("SGD", lambda all: SGD(all).step, 0.038),
            ("momentum", with_momentum, 0.1),
            ("Adam", lambda all: Adam(all).step, 0.2),
        )
    ):
        middle = HIGH * (place + 0.5) + 8
        valley(sheet, middle)
        points = [spot(x, y, middle) for x, y in path(rule, rate)]
        sheet.line(points, "gradient thick")
        for x, y in points[1:]:
            sheet.dot(x, y, 2.5, "gradient")
        sheet.dot(*points[0], 6, "parameter")
        sheet.text(LEFT + ACROSS, middle - 34, said, "strong end")
        label = f"rate {rate:g}"
        sheet.text(LEFT + ACROSS, middle + 46, label, "small soft end")
    return sheet


def valley(sheet: Drawing, middle: float) -> None:
    """Draw lines of equal height, and the lowest point."""
    for ring in RINGS[:3]:
        turns = [i / 60 for i in range(61)]
        sheet.line([spot(*on_ring(ring, turn), middle) for turn in turns], "soft")
    sheet.dot(*spot(0, 0, middle), 3)


def on_ring(size: float, turn: float) -> tuple[float, float]:
    """Return a point where the loss is half the square of `size`."""
    point = cmath.rect(size, turn * 2 * cmath.pi)
    return point.real, point.imag / STEEPNESS**0.5


def spot(x: float, y: float, middle: float) -> tuple[float, float]:
    """Return where a point of the valley stands, in pixels."""
    return LEFT + ACROSS * 0.46 + 48 * x, middle - UP * y


def with_momentum(parameters: list[Value]) -> Callable[[float], None]:
    """Return the step of an optimizer that follows the running mean."""
    means = [0.0] * len(parameters)

    def step(rate: float) -> None:
        for i, parameter in enumerate(parameters):
            means[i] = BETA * means[i] + (1 - BETA) * parameter.grad
            parameter.data -= rate * means[i]

    return step


def path(rule: Rule, rate: float) -> list[tuple[float, float]]:
    """Return the start, and where each step leads."""
    x, y = map(Value, START)
    step = rule([x, y])
    found = [START]
    for _ in range(STEPS):
        x.grad, y.grad = x.data, STEEPNESS * y.data
        step(rate)
        found.append((x.data, y.data))
    return found
