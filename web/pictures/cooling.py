"""What temperature does to three probabilities, from one that takes all to all alike."""

from pictures.chart import Axis, Chart
from snippets.step1 import softmax

LOGITS = (2.0, 1.0, -1.0)
COLD, HOT, POINTS = 0.1, 100.0, 90
TEMPERATURE, SHARE = Axis(COLD, HOT, 44, 400, tens=True), Axis(0, 1, 224, 24)


def draw() -> Chart:
    """Draw a curve for each of three logits."""
    sheet = Chart(280, TEMPERATURE, SHARE)
    sheet.levels((0, 0.5, 1), said="probability")
    sheet.foot((0.1, 0.5, 1, 10, 100), "g", "temperature")
    one = TEMPERATURE(1)
    sheet.line([(one, SHARE.end - 16), (one, SHARE.start)], "dashed")
    sheet.label(one + 6, SHARE.end - 8, "as trained")
    grid = [COLD * (HOT / COLD) ** (i / POINTS) for i in range(POINTS + 1)]
    curves = [softmax([z / t for z in LOGITS]) for t in grid]
    roles, downs = ("activation", "attention", "gradient"), (-12, 5, 22)
    for i, (logit, role, down) in enumerate(zip(LOGITS, roles, downs, strict=True)):
        points = [(t, p[i]) for t, p in zip(grid, curves, strict=True)]
        x, y = sheet.curve(points, role)[-1]
        sheet.label(x + 6, y + down, f"logit {logit:g}", role)
    return sheet
