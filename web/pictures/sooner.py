"""Held-out loss of the GPT against names read, with SGD and with Adam."""

from pictures.chart import Axis, Chart
from pictures.drawing import Point
from pictures.records import means, recorded

SEEN = (3000, 10_000, 30_000, 100_000)
NAMES, NATS = Axis(SEEN[0], SEEN[-1], 50, 450, tens=True), Axis(2.34, 2.46, 210, 20)


def draw() -> Chart:
    """Draw a curve for each, with an arrow from Adam's loss to where SGD is as low."""
    sheet = Chart(264, NAMES, NATS)
    sheet.line([(50, 20), (50, 210), (450, 210)])
    sheet.levels((2.36, 2.4, 2.44), ".2f", "nats per token", ruled=False)
    sheet.foot(SEEN, ",", "names read")
    curves = []
    for name, rung, role, look in (
        ("SGD", "four heads, SGD", "data", "thick dashed"),
        ("momentum", "", "attention", "dashed"),
        ("Adam", "four heads", "gradient", "thick"),
    ):
        curves.append(sheet.curve(losses(rung, name), role, look=look))
        for point in curves[-1]:
            sheet.dot(*point, 4, role)
    sgd, momentum, adam = curves
    (x0, y0), (x1, y1) = adam[1], sgd[2]
    sheet.arrow((x0 + 8, y0), (x1 - 8, y1))
    sheet.label(sgd[1][0] + 12, sgd[1][1] - 12, "SGD", "data")
    sheet.label(adam[0][0] + 12, adam[0][1] + 56, "Adam", "gradient")
    x, y = momentum[0]
    sheet.label(x + 22, y - 22, "with momentum", "attention")
    return sheet


def losses(rung: str, variant: str) -> list[Point]:
    """Return the points of an optimizer: a long training has finer tuned rates."""
    ends, variants = (recorded(x)["guide"]["rungs"] for x in ("ends", "variants"))
    found = dict(means({**ends.get(rung, {}), **variants[variant]}))
    return [(seen, found[seen]) for seen in SEEN if seen in found]
