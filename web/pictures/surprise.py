"""The loss of one guess: what −log p is for every p from 0 to 1."""

import math

from pictures.drawing import Drawing

MARKED = (0.9, 0.5, 0.1, 1 / 27)
LEFT, BOTTOM, ACROSS, UP = 50, 200, 400, 45  # pixels; UP for each nat


def draw() -> Drawing:
    """Draw the curve, and a few guesses on it."""

    def place(p: float) -> tuple[float, float]:
        return LEFT + ACROSS * p, BOTTOM + UP * math.log(p)

    sheet = Drawing(250)
    sheet.line([(LEFT, 8), (LEFT, BOTTOM), (LEFT + ACROSS, BOTTOM)], look="soft")
    sheet.line([place(p / 200) for p in range(3, 201)], "gradient", look="thick")
    for p in MARKED:
        x, y = place(p)
        sheet.dot(x, y, 5, "gradient")
        named = "1/27" if p < 0.05 else f"{p:g}"
        said = f"p = {named} costs {-math.log(p):.2f}"
        right = p > 0.8
        anchor = "end" if right else "start"
        # The two on the right are close: one label stands above the other.
        shift = {0.5: (6, -40), 0.9: (44, -30)}.get(p, (10, -12))
        sheet.text(x + shift[0], y + shift[1], said, look="small", anchor=anchor)
    for p in (0, 0.5, 1):
        sheet.text(LEFT + ACROSS * p, BOTTOM + 22, f"{p:g}", look="small soft")
    for nats in range(1, 5):
        y = BOTTOM - UP * nats
        sheet.text(LEFT - 12, y + 5, nats, look="small soft", anchor="end")
    under = "probability given to the actual next letter"
    sheet.text(LEFT + ACROSS / 2, BOTTOM + 44, under, look="small")
    return sheet
