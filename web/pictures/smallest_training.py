"""The smallest training: a weight, a bias, a guess, and what its error changes."""

from pictures.drawing import Drawing


def draw() -> Drawing:
    """Draw one pass forward with its numbers, and the way back below it."""
    sheet = Drawing(270)
    boxes = (
        (10, "x", "2", "data"),
        (120, "· w", "1", "parameter"),
        (230, "+ b", "0", "parameter"),
        (340, "guess", "2", "activation"),
    )
    for x, name, value, role in boxes:
        sheet.block(x, 50, 80, 60, name, f"{role} small", down=-6)
        sheet.text(x + 40, 100, value, f"{role} strong")
    for x in (90, 200, 310):
        sheet.arrow((x + 2, 80), (x + 28, 80))
    sheet.text(380, 36, "truth: 7", "data small")
    sheet.arrow((380, 112), (380, 148), "cost", weight=2)
    sheet.text(380, 170, "error −5", "cost strong")
    sheet.text(380, 192, "loss 25", "cost small")
    for x, slope, new in ((160, "slope −20", "w: 1 → 2"), (270, "−10", "b: 0 → 0.5")):
        sheet.arrow((334, 186), (x + 4, 150), "gradient", bend=-18, weight=2)
        sheet.text(x, 140, slope, "gradient small")
        sheet.text(x, 232, new, "parameter strong")
    sheet.text(215, 258, "one step, at a rate of 0.05", "small soft")
    return sheet
