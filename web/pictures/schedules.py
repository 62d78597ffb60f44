"""Learning rates by step: ours, one that warms up and falls on a wave, and none at all."""

import math

from microgpt import linear_decay
from pictures.drawing import Drawing

STEPS, WARM = 200, 20
LEFT, RIGHT, TOP, LOW = 34, 410, 30, 160  # pixels


def draw() -> Drawing:
    """Draw the rate, as a share of the highest, from the first step to the last."""
    sheet = Drawing(210)
    sheet.line([(LEFT, TOP), (LEFT, LOW), (RIGHT, LOW)])
    for share, said in ((0, "0"), (1, "1")):
        sheet.text(LEFT - 8, _y(share) + 5, said, look="small soft", anchor="end")
    sheet.text(RIGHT + 6, _y(0.1) + 5, "a tenth", look="small soft", anchor="start")
    flat = [(_x(step), _y(1)) for step in (0, STEPS)]
    sheet.line(flat, look="dashed soft")
    line = [(_x(step), _y(linear_decay(1, step, STEPS))) for step in (0, STEPS)]
    sheet.line(line, "parameter", look="thick")
    sheet.line([(_x(t), _y(wave(t))) for t in range(STEPS + 1)], "cost", look="thick")
    sheet.text(_x(170), TOP - 10, "constant", look="small soft")
    sheet.text(
        _x(116), _y(0.72), "warm-up, then cosine", "cost", look="small", anchor="start"
    )
    sheet.text(_x(58), _y(0.4), "ours", "parameter", look="small", anchor="end")
    sheet.text((LEFT + RIGHT) / 2, LOW + 34, "steps", look="small soft")
    return sheet


def wave(step: int) -> float:
    """Return a rate that rises from 0, then falls to a tenth along half a wave."""
    if step < WARM:
        return step / WARM
    along = (step - WARM) / (STEPS - WARM)
    return 0.1 + 0.9 * (1 + math.cos(math.pi * along)) / 2


def _x(step: float) -> float:
    return LEFT + (RIGHT - LEFT) * step / STEPS


def _y(share: float) -> float:
    return LOW - (LOW - TOP) * share
