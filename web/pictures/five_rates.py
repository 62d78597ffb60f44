"""The smallest training at five rates: the error, step after step."""

from pictures.drawing import Drawing

RATES = (0.05, 0.1, 0.15, 0.2, 0.21)
SAID = ("creeps in", "hits at once", "bounces in", "never ends", "runs away")
X, FIRST, STEPS = 2.0, -5.0, 6
PANEL, ZERO, UNIT, ACROSS = 96, 104, 9, 13  # pixels


def draw() -> Drawing:
    """Draw a panel for each rate: a dot for each error, joined in their order."""
    sheet = Drawing(216)
    for i, (rate, said) in enumerate(zip(RATES, SAID, strict=True)):
        left, middle = 8 + PANEL * i, PANEL * i + 46
        factor = 1 - 2 * rate * (X * X + 1)
        places = [
            (left + ACROSS * step, ZERO - UNIT * FIRST * factor**step)
            for step in range(STEPS + 1)
        ]
        sheet.line([(left - 4, ZERO), (left + 82, ZERO)], "soft")
        sheet.line(places, "gradient")
        for place in places:
            sheet.dot(*place, 3.5, "cost")
        sheet.text(middle, 16, f"rate {rate:g}", "gradient small")
        sheet.text(middle, 208, said, "small soft")
    return sheet
