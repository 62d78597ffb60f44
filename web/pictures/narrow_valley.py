"""SGD, momentum and Adam go down the same narrow valley, each at a rate that suits it."""

import cmath
from collections.abc import Callable

from microgpt import SGD, Adam, Value
from pictures.drawing import Drawing

STEEPNESS = 50  # across; along, it is 1
START = (-4.0, 1.5)
BETA = 0.85
RINGS = (0.75, 2, 4)  # half the square of each is the loss on it
LEFT, ACROSS, UP, HIGH = 16, 448, 26.0, 118  # pixels: of all, of a unit, of a valley
STEPS = 40

Rule = Callable[[list[Value]], Callable[[float], None]]


def draw() -> Drawing:
    """Draw three valleys, one below the other, with a path in each."""
    sheet = Drawing(3 * HIGH + 6)
    rules: tuple[tuple[str, Rule, float], ...] = (
        ("SGD", lambda all: SGD(all).step, 0.038),
        ("momentum", with_momentum, 0.1),
        ("Adam", lambda all: Adam(all).step, 0.2),
    )
    for place, (said, rule, rate) in enumerate(rules):
        middle = HIGH * (place + 0.5) + 8
        for ring in RINGS:
            turn = [cmath.rect(ring, i / 60 * cmath.tau) for i in range(61)]
            edge = [spot(p.real, p.imag / STEEPNESS**0.5, middle) for p in turn]
            sheet.line(edge, "soft")
        sheet.dot(*spot(0, 0, middle), 3)
        points = [spot(x, y, middle) for x, y in path(rule, rate)]
        sheet.line(points, "gradient thick")
        for x, y in points[1:]:
            sheet.dot(x, y, 2.5, "gradient")
        sheet.dot(*points[0], 6, "parameter")
        sheet.text(LEFT + ACROSS, middle - 34, said, "strong end")
        sheet.text(LEFT + ACROSS, middle + 46, f"rate {rate:g}", "small soft end")
    return sheet


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
