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
    plain = tiled = 0
    for t in range(TOKENS):
        for u in range(t + 1):
            lit = t in tile and u in across
            plain, tiled = plain + 1, tiled + lit
            for left, strong in ((LEFT, True), (RIGHT, lit)):
                x, y = left + u * CELL, TOP + t * CELL
                size, strength = CELL - 2, 0.75 if strong else 0.14
                sheet.box(x, y, size, size, "attention", strength=strength)
    beside = RIGHT + TOKENS * CELL + 10
    for i, (name, role) in enumerate(
        (("m", "parameter"), ("ℓ", "data"), ("y", "activation"))
    ):
        x = beside + 16 * i
        sheet.text(x + 6, TOP + tile[0] * CELL - 6, name, f"{role} small")
        for t in tile:
            sheet.box(x, TOP + t * CELL, CELL - 2, CELL - 2, role, strength=0.75)
    for left, title, held in (
        (LEFT, "plain", f"{plain} weights in memory"),
        (RIGHT, "in tiles", f"{tiled} weights on the chip,"),
    ):
        sheet.text(left, 24, title, "strong start")
        sheet.label(left, TOP + TOKENS * CELL + 22, held)
    kept = "and m, ℓ, y for each row"
    sheet.label(RIGHT, TOP + TOKENS * CELL + 42, kept)
    return sheet
