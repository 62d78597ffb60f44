"""How much of a running mean's weight the gradients have so far, for Adam's two means."""

import inspect

from microgpt import Adam
from pictures.chart import Axis, Chart

STEPS = 100
STEP, SHARE = Axis(1, STEPS, 44, 454), Axis(0, 1, 184, 34)


def draw() -> Chart:
    """Draw both shares, step by step; what is above them lies on the 0 at the start."""
    sheet = Chart(240, STEP, SHARE)
    given = inspect.signature(Adam).parameters
    sheet.line([(44, 34), (44, 184), (454, 184)])
    sheet.line([(44, 34), (454, 34)], "dashed soft")
    sheet.levels((0, 0.5, 1), ".0%", ruled=False)
    sheet.foot((1, 25, 50, 75, 100), "g", "steps")
    for name, role in (("beta1", "gradient"), ("beta2", "cost")):
        beta = given[name].default
        points = sheet.curve([(t, 1 - beta**t) for t in range(1, STEPS + 1)], role)
        sheet.dot(*points[0], 4, role)
    x, y = sheet.at(21, 0.97)
    sheet.label(x, y + 24, "the mean", "gradient")
    x, y = sheet.at(62, 0.46)
    sheet.label(x, y + 24, "the mean of squares", "cost")
    sheet.text(454, 20, "all the weight", "small soft end")
    return sheet
