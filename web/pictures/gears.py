"""The chain rule: a nudge passes through two functions, and grows in each."""

from pictures.drawing import Drawing


def draw() -> Drawing:
    """Draw x, u = 3x + 1 and y = u² at x = 2, with the slopes between them."""
    sheet = Drawing(190)
    places = (("x", "2", 12), ("u = 3x + 1", "7", 180), ("y = u²", "49", 352))
    for name, value, left in places:
        sheet.box(left, 46, 116, 62, "activation")
        sheet.text(left + 58, 70, name, "small")
        sheet.text(left + 58, 97, value, "activation strong")
    for left, slope in ((128, "× 3"), (296, "× 14")):
        sheet.arrow((left + 4, 77), (left + 50, 77), weight=2)
        sheet.text(left + 27, 36, slope, "gradient strong")
    sheet.text(70, 140, "+0.001", "gradient small")
    sheet.text(238, 140, "+0.003", "gradient small")
    sheet.text(410, 140, "+0.042", "gradient small")
    sheet.text(240, 172, "a nudge, on its way", "small soft")
    return sheet
