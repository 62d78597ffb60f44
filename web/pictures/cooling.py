"""What temperature does to three probabilities, from one that takes all to all alike."""

import math

from pictures.drawing import Drawing
from snippets.step1 import softmax

LOGITS = (2.0, 1.0, -1.0)
COLD, HOT, POINTS = 0.1, 100.0, 90
LEFT, RIGHT, TOP, LOW = 44, 400, 24, 224  # pixels


def draw() -> Drawing:
    """Draw a curve for each of three logits, on a logarithmic axis."""
    sheet = Drawing(280)
    for share in (0.0, 0.5, 1.0):
        sheet.line([(LEFT, _y(share)), (RIGHT, _y(share))], look="soft")
        sheet.text(
            LEFT - 8, _y(share) + 5, f"{share:g}", look="small soft", anchor="end"
        )
    for temperature in (0.1, 0.5, 1, 10, 100):
        sheet.text(_x(temperature), LOW + 22, f"{temperature:g}", look="small soft")
    sheet.text((LEFT + RIGHT) / 2, LOW + 46, "temperature", look="small soft")
    sheet.line([(_x(1), TOP - 6), (_x(1), LOW)], look="dashed")
    sheet.text(_x(1), TOP - 12, "as trained", look="small")
    grid = [COLD * (HOT / COLD) ** (i / POINTS) for i in range(POINTS + 1)]
    curves = [softmax([z / t for z in LOGITS]) for t in grid]
    roles, downs = ("activation", "attention", "gradient"), (-12, 5, 22)
    for i, (logit, role, down) in enumerate(zip(LOGITS, roles, downs, strict=True)):
        points = [(_x(t), _y(p[i])) for t, p in zip(grid, curves, strict=True)]
        sheet.line(points, role, look="thick")
        said = f"logit {logit:g}".replace("-", "−")
        y = points[-1][1] + down
        sheet.text(RIGHT + 6, y, said, role, look="small", anchor="start")
    return sheet


def _x(temperature: float) -> float:
    share = math.log(temperature / COLD) / math.log(HOT / COLD)
    return LEFT + (RIGHT - LEFT) * share


def _y(share: float) -> float:
    return LOW - (LOW - TOP) * share
