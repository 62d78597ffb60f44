"""Rows of a trained token embedding, between two alphabets that claim them."""

import math

from microgpt import load_model
from pictures.drawing import Drawing

ROWS = 5
LEFT, TOP, CELL, APART = 108, 44, 16, 30  # pixels


def draw() -> Drawing:
    """Draw each row as shades; left the letter of the file, right that of a cipher."""
    model, tokenizer = load_model()
    letters = tokenizer.characters
    rows = [[p.data for p in row] for row in model.weights["wte"][:ROWS]]
    most = max(abs(number) for row in rows for number in row)
    sheet = Drawing(TOP + APART * ROWS + 8)
    right = LEFT + CELL * len(rows[0])
    sheet.text(70, 22, "in the file", "small")
    sheet.text((LEFT + right) / 2, 22, "rows of wte", "small")
    sheet.text(right + 38, 22, "turned round", "cost small")
    for i, row in enumerate(rows):
        y = TOP + APART * i
        sheet.text(30, y + 17, f"row {i}", "small soft")
        sheet.text(70, y + 17, letters[i], "data large")
        sheet.arrow((82, y + 12), (LEFT - 6, y + 12))
        shades = [math.copysign(min(1.0, 0.06 + abs(n) / most), n) for n in row]
        sheet.cells(LEFT, y, (CELL, 25), [shades], "parameter", below="gradient")
        sheet.arrow((right + 26, y + 12), (right + 5, y + 12))
        sheet.text(right + 38, y + 17, letters[-1 - i], "cost large")
    return sheet
