"""One turn of the innermost loop of gpt.c: what comes in, and what it's used for."""

from pictures.drawing import Drawing

TALL = WIDE = 8  # of a tile
CELL, TURN, INNER = 20, 2, 6  # pixels; the turn that is drawn, of so many
LEFT, TOP = 190, 166  # of the tile


def draw() -> Drawing:
    """Draw a column of a, a row of b, and the sums of the tile between them."""
    sheet = Drawing(376)
    start, above = LEFT - 26 - INNER * CELL, TOP - 26 - INNER * CELL
    size, now = (CELL, CELL), [0.7 if i == TURN else 0.15 for i in range(INNER)]
    sheet.cells(start, TOP, size, [now] * TALL, "parameter", gap=2)
    sheet.cells(LEFT, above, size, [[s] * WIDE for s in now], "data", gap=2)
    sheet.cells(LEFT, TOP, size, [[0.7] * WIDE] * TALL, "activation", gap=2)
    column = start + (TURN + 0.5) * CELL
    row = above + (TURN + 0.5) * CELL
    sheet.arrow((column + 14, TOP - 8), (LEFT - 6, TOP - 8), "parameter")
    right, bottom = LEFT + WIDE * CELL + 18, TOP + TALL * CELL
    sheet.arrow((right - 10, row), (right - 10, TOP - 4), "data")
    sheet.text(start, bottom + 22, "rows of a", "parameter start")
    sheet.text(right, above + 16, "rows of b", "data start")
    for y, look, said in (
        (40, "strong", f"{TALL} + {WIDE} numbers"),
        (60, "small", "come in,"),
        (94, "activation strong", f"{TALL * WIDE} products"),
        (114, "activation small", "are added"),
    ):
        sheet.text(right, TOP + y, said, f"{look} start")
    said = "a tile of c: eight registers"
    sheet.text(LEFT + WIDE * CELL / 2, bottom + 22, said, "activation small")
    return sheet
