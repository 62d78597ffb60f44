"""Learning rates by step: ours, one that warms up and falls on a wave, and none at all."""

import math

from microgpt import linear_decay
from pictures.chart import Axis, Chart

STEPS, WARM = 200, 20
STEP, SHARE = Axis(0, STEPS, 34, 410), Axis(0, 1, 160, 30)


def draw() -> Chart:
    """Draw the rate, as a share of the highest, from the first step to the last."""
    sheet = Chart(210, STEP, SHARE)
    sheet.line([(34, 30), (34, 160), (410, 160)])
    sheet.levels((0, 1), said="rate", ruled=False)
    sheet.label(STEP.end + 6, SHARE(0.1) + 5, "a tenth", "soft")
    sheet.curve([(0, 1), (STEPS, 1)], look="dashed soft")
    ours = [(step, linear_decay(1, step, STEPS)) for step in (0, STEPS)]
    sheet.curve(ours, "parameter")
    sheet.curve([(step, wave(step)) for step in range(STEPS + 1)], "cost")
    sheet.text(STEP(170), SHARE.end - 10, "constant", "small soft")
    sheet.label(STEP(116), SHARE(0.72), "warm-up, then cosine", "cost")
    sheet.text(STEP(58), SHARE(0.4), "ours", "parameter small end")
    sheet.foot((), "", "steps", below=34)
    return sheet


def wave(step: int) -> float:
    """Return a rate that rises from 0, then falls to a tenth along half a wave."""
    if step < WARM:
        return step / WARM
    along = (step - WARM) / (STEPS - WARM)
    return 0.1 + 0.9 * (1 + math.cos(math.pi * along)) / 2
