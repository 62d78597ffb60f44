"""One turn of the innermost loop of gpt.c: what comes in, and what it's used for."""

from pictures.drawing import Drawing

TALL = WIDE = 8  # of a tile
CELL, TURN, INNER = 20, 2, 6  # pixels; the turn that is drawn, of so many
LEFT, TOP = 190, 166  # of the tile


def draw() -> Drawing:
    """Draw a column of a, a row of b, and the sums of the tile between them."""
    sheet = Drawing(376)
    start, above = LEFT - 26 - INNER * CELL, TOP - 26 - INNER * CELL
    for i in range(INNER):
        now = i == TURN
        for y in range(TALL):
            _cell(sheet, start + i * CELL, TOP + y * CELL, "parameter", now)
        for x in range(WIDE):
            _cell(sheet, LEFT + x * CELL, above + i * CELL, "data", now)
    used = 0
    for y in range(TALL):
        for x in range(WIDE):
            used += 1
            _cell(sheet, LEFT + x * CELL, TOP + y * CELL, "activation", True)
    column = start + (TURN + 0.5) * CELL
    row = above + (TURN + 0.5) * CELL
    sheet.arrow((column + 14, TOP - 8), (LEFT - 6, TOP - 8), "parameter")
    sheet.arrow(
        (LEFT + WIDE * CELL + 8, row), (LEFT + WIDE * CELL + 8, TOP - 4), "data"
    )
    right = LEFT + WIDE * CELL + 18
    sheet.text(start, TOP + TALL * CELL + 22, "rows of a", "parameter", anchor="start")
    sheet.text(right, above + 16, "rows of b", "data", anchor="start")
    lines = (
        (f"{TALL} + {WIDE} numbers", "come in,"),
        (f"{used} products", "are added"),
    )
    for i, pair in enumerate(lines):
        for j, said in enumerate(pair):
            look = "strong" if j == 0 else "small"
            y = TOP + 40 + 54 * i + 20 * j
            sheet.text(
                right, y, said, "activation" if i else "", look=look, anchor="start"
            )
    sheet.text(
        LEFT + WIDE * CELL / 2,
        TOP + TALL * CELL + 22,
        "a tile of c: eight registers",
        "activation",
        look="small",
    )
    return sheet


def _cell(sheet: Drawing, x: float, y: float, role: str, lit: bool) -> None:
    sheet.box(x, y, CELL - 2, CELL - 2, role, strength=0.7 if lit else 0.15)
