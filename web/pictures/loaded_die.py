"""Drawing a letter: probabilities as pieces of a line, and a random point on it."""

import random

from pictures.drawing import WIDTH, Drawing
from snippets.ready import counted
from snippets.step0 import probabilities

POINT = random.Random(42).random()


def draw() -> Drawing:
    """Draw the line of the first letter of a name, and the point that was drawn."""
    _, tokenizer, counts = counted()
    row = probabilities(tokenizer.bos, counts)
    sheet = Drawing(150)
    across, end = WIDTH - 16, 0.0
    for token, share in enumerate(row):
        start, end = end, end + share
        x, wide = 8 + across * start, across * share
        hit = start <= POINT < end
        role, strength = (
            ("gradient", 0.9) if hit else ("data", 0.25 + 0.3 * (token % 2))
        )
        sheet.box(x, 70, wide, 40, role, strength=strength)
        letter = "end" if token == tokenizer.bos else tokenizer.characters[token]
        if wide > 12 and not hit:
            sheet.text(x + wide / 2, 96, letter, "small")
        if hit:
            sheet.text(x + wide / 2, 132, letter, "gradient large strong")
    x = 8 + across * POINT
    sheet.text(x, 24, f"{POINT:.4f}", "gradient strong")
    sheet.arrow((x, 32), (x, 66), "gradient", weight=2)
    sheet.label(8, 132, "0", "soft")
    sheet.text(WIDTH - 8, 132, "1", "small soft end")
    return sheet
