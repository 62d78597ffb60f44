"""Cache and mask: the lower half of a square, that grew, and a square with half crossed out."""

from pictures.drawing import Drawing

TOKENS = ("B", *"emma")
CELL, TOP = 34, 56  # pixels


def draw() -> Drawing:
    """Draw who can see whom: with a cache, and with a mask."""
    sheet = Drawing(262)
    for left, said in ((40, "a cache grows"), (280, "a mask crosses out")):
        sheet.text(left + 2.5 * CELL, 20, said, "small soft")
        for i, token in enumerate(TOKENS):
            sheet.text(left + CELL * (i + 0.5), TOP - 10, token, "data strong")
            y = TOP + CELL * i
            sheet.text(left - 16, y + 23, token, "attention strong")
            seen = [[0.3] * (i + 1)]
            sheet.cells(left + 1, y + 1, (CELL, CELL), seen, "attention", gap=2)
            for j in range(i + 1, len(TOKENS)) if left > 200 else ():
                x = left + CELL * j + 1
                sheet.block(x, y + 1, CELL - 2, CELL - 2, "−∞", "small soft")
    sheet.text(125, 252, "B: the start", "small soft")
    return sheet
