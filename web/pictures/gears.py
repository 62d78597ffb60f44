"""The chain rule: a nudge passes through two functions, and grows in each."""

from pictures.drawing import Drawing


def draw() -> Drawing:
    """Draw x, u = 3x + 1 and y = u² at x = 2, with the slopes between them."""
    sheet = Drawing(190)
    for left, name, value, nudge in (
        (12, "x", "2", "+0.001"),
        (180, "u = 3x + 1", "7", "+0.003"),
        (352, "y = u²", "49", "+0.042"),
    ):
        sheet.box(left, 46, 116, 62, "activation")
        sheet.text(left + 58, 70, name, "small")
        sheet.text(left + 58, 97, value, "activation strong")
        sheet.text(left + 58, 140, nudge, "gradient small")
    for left, slope in ((128, "× 3"), (296, "× 14")):
        sheet.arrow((left + 4, 77), (left + 50, 77), weight=2)
        sheet.text(left + 27, 36, slope, "gradient strong")
    sheet.text(240, 172, "a nudge, on its way", "small soft")
    return sheet
