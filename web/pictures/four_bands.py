"""The query's matrix in four bands of rows: each head's query comes from its own."""

import random

from microgpt import GPT, Config
from pictures.drawing import Drawing

LEFT, RIGHT, CELL, GAP = 120, 390, 13, 8  # pixels


def draw() -> Drawing:
    """Draw 16 rows, cut where the heads are, and the number that each row makes."""
    model = GPT(Config(), random.Random(42))
    width = model.config.head_dim
    sheet = Drawing(278)
    sheet.text(LEFT + 8 * CELL, 16, "attn_wq", "small")
    sheet.text(RIGHT + CELL / 2, 16, "query", "small")
    for row, weights in enumerate(model.weights["layer0.attn_wq"]):
        head, i = divmod(row, width)
        y = 28 + row * CELL + head * GAP
        shades = [min(1.0, 0.1 + 4 * abs(weight.data)) for weight in weights]
        sheet.cells(LEFT, y, (CELL, CELL), [shades], "parameter")
        sheet.cells(RIGHT, y, (CELL, CELL), [[0.5]], "activation")
        if i == width // 2:
            sheet.label(4, y + 5, f"head {head}")
            end = RIGHT - 10
            sheet.arrow((LEFT + 16 * CELL + 8, y - 1), (end, y - 1))
            middle = (LEFT + 16 * CELL + end) / 2
            sheet.text(middle, y - 8, "· x", "small")
    return sheet
