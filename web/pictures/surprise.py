"""The loss of one guess: what −log p is for every p from 0 to 1."""

import math

from pictures.chart import Axis, Chart

MARKED = {"0.9": 0.9, "0.5": 0.5, "0.1": 0.1, "1/27": 1 / 27}


def draw() -> Chart:
    """Draw the curve, and a few guesses on it."""
    sheet = Chart(250, Axis(0, 1, 50, 450), Axis(0, 4, 200, 20))
    sheet.line([(50, 20), (50, 200), (450, 200)], "soft")
    curve = [(p / 200, -math.log(p / 200)) for p in range(4, 201)]
    sheet.curve(curve, "gradient")
    for named, p in MARKED.items():
        x, y = sheet.at(p, -math.log(p))
        sheet.dot(x, y, 5, "gradient")
        said = f"p = {named} costs {-math.log(p):.2f}"
        if p > 0.8:  # no room on its right
            sheet.text(450, y - 22, said, "small end")
        else:
            sheet.label(x + 10, y - 16, said)
    sheet.levels(range(1, 5), said="cost", ruled=False)
    sheet.foot((0, 0.5, 1), "g", "probability given to the actual next letter")
    return sheet
