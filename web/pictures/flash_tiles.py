"""The weights of attention: all of them in memory, or one tile at a time."""

from pictures.drawing import Drawing

TOKENS, TILE = 12, 3
NOW = (2, 1)  # the tile that is being read: of its row and its column of tiles
CELL, TOP, LEFT, RIGHT = 14, 46, 10, 250  # pixels


def draw() -> Drawing:
    """Draw the triangle twice; on the right only a tile is lit, and what rows keep."""
    sheet = Drawing(276)
    tile = range(NOW[0] * TILE, (NOW[0] + 1) * TILE)
    across = range(NOW[1] * TILE, (NOW[1] + 1) * TILE)
    lit = [[t in tile and u in across for u in range(t + 1)] for t in range(TOKENS)]
    plain, tiled = sum(map(len, lit)), sum(map(sum, lit))
    size = CELL, CELL
    all_ = [[0.75] * len(row) for row in lit]
    sheet.cells(LEFT, TOP, size, all_, "attention", gap=2)
    some = [[0.75 if now else 0.14 for now in row] for row in lit]
    sheet.cells(RIGHT, TOP, size, some, "attention", gap=2)
    x, y = RIGHT + TOKENS * CELL + 10, TOP + tile[0] * CELL
    for name, role in (("m", "parameter"), ("ℓ", "data"), ("y", "activation")):
        sheet.text(x + 6, y - 6, name, f"{role} small")
        sheet.cells(x, y, size, [[0.75]] * TILE, role, gap=2)
        x += 16
    for left, title, held in (
        (LEFT, "plain", f"{plain} weights in memory"),
        (RIGHT, "in tiles", f"{tiled} weights on the chip,"),
    ):
        sheet.text(left, 24, title, "strong start")
        sheet.label(left, TOP + TOKENS * CELL + 22, held)
    sheet.label(RIGHT, TOP + TOKENS * CELL + 42, "and m, ℓ, y for each row")
    return sheet
