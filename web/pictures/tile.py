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
    for y in range(TALL):
        for x in range(WIDE):
            _cell(sheet, LEFT + x * CELL, TOP + y * CELL, "activation", True)
    column = start + (TURN + 0.5) * CELL
    row = above + (TURN + 0.5) * CELL
    sheet.arrow((column + 14, TOP - 8), (LEFT - 6, TOP - 8), "parameter")
    sheet.arrow(
        (LEFT + WIDE * CELL + 8, row), (LEFT + WIDE * CELL + 8, TOP - 4), "data"
    )
    right = LEFT + WIDE * CELL + 18
    sheet.text(start, TOP + TALL * CELL + 22, "rows of a", "parameter start")
    sheet.text(right, above + 16, "rows of b", "data start")
    for y, look, said in (
        (40, "strong", f"{TALL} + {WIDE} numbers"),
        (60, "small", "come in,"),
        (94, "activation strong", f"{TALL * WIDE} products"),
        (114, "activation small", "are added"),
    ):
        sheet.text(right, TOP + y, said, f"{look} start")
    sheet.text(
        LEFT + WIDE * CELL / 2,
        TOP + TALL * CELL + 22,
        "a tile of c: eight registers",
        "activation small",
    )
    return sheet


def _cell(sheet: Drawing, x: float, y: float, role: str, lit: bool) -> None:
    sheet.box(x, y, CELL - 2, CELL - 2, role, strength=0.7 if lit else 0.15)
