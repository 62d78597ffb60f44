"""The three matrices of the network, to scale, and what a row or a column is about."""

from pictures.drawing import Drawing

CELL = 3.2  # pixels for a number
SHAPES = (("wte", 27, 16), ("fc1", 64, 16), ("fc2", 27, 64))
LEFT = (16, 150, 262)


def draw() -> Drawing:
    """Draw wte, fc1 and fc2 beside one another, with a row of each marked."""
    sheet = Drawing(64 * CELL + 84)
    marks = (("row: “e”", 4), ("row: a unit", 30), ("row: next is “e”", 4))
    for (name, rows, columns), x, (said, row) in zip(SHAPES, LEFT, marks, strict=True):
        wide, high = CELL * columns, CELL * rows
        sheet.text(x, 16, name, "parameter strong start")
        sheet.label(x, 34, f"{rows} × {columns}", "soft")
        sheet.box(x, 44, wide, high, "parameter", strength=0.15)
        sheet.box(x, 44 + CELL * row, wide, 2 * CELL, "parameter", strength=1)
        sheet.label(x, 44 + high + 20, said)
    column = LEFT[2] + CELL * 30
    sheet.box(column, 44, 2 * CELL, CELL * 27, "activation", strength=0.9)
    below = 44 + CELL * 27 + 40
    sheet.label(LEFT[2], below, "column: that unit")
    return sheet
