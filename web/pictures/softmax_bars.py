"""Softmax: any scores, made positive, then shared out."""

import math

from pictures.drawing import Drawing
from snippets.step1 import softmax

LOGITS = (2.0, 1.0, -1.0)
FLOOR, UNIT = 170, 18  # pixels


def draw() -> Drawing:
    """Draw three logits, their exponentials, and their probabilities."""
    exps = [math.exp(logit) for logit in LOGITS]
    shares = softmax(list(LOGITS))
    sheet = Drawing(250)
    columns = (  # pixels from the left, of 120 each; pixels for a 1; how numbers read
        (20, "scores", LOGITS, UNIT, "g"),
        (180, "e to the score", exps, UNIT, ".2f"),
        (340, "share of the whole", shares, 7.39 * UNIT, ".3f"),
    )
    for left, head, values, unit, form in columns:
        sheet.text(left + 60, 232, head, "small")
        sheet.line([(left, FLOOR), (left + 120, FLOOR)], "soft")
        for i, value in enumerate(values):
            x, height = left + 6 + 38 * i, abs(value) * unit
            top = FLOOR - height if value > 0 else FLOOR
            sheet.box(x, top, 30, height, "activation", strength=0.8 - 0.22 * i)
            above = top - 6 if value > 0 else FLOOR + height + 16
            sheet.text(x + 15, above, format(value, form), "small")
    for x in (144, 304):
        sheet.arrow((x, 120), (x + 30, 120), weight=2)
    return sheet
