"""The row of "m" while the table reads: flat at first, then more and more itself."""

from pictures.drawing import WIDTH, Drawing
from snippets.ready import counted
from snippets.step0 import probabilities

READ = (0, 10, 100, 1000)  # names


def draw() -> Drawing:
    """Draw a small picture of the row for each number of names."""
    sheet = Drawing(170)
    wide = WIDTH / len(READ)
    for place, read in enumerate(READ):
        _, tokenizer, counts = counted(read)
        a, m = tokenizer.encode("am")
        row = probabilities(m, counts)
        left, bar = place * wide + 5, (wide - 12) / len(row)
        for token, p in enumerate(row):
            height = 330 * p
            strength = 0.9 if token == a else 0.4
            x = left + token * bar
            sheet.box(x, 140 - height, bar - 0.6, height, "data", strength=strength)
        sheet.text(left + 4, 132 - 330 * row[a], "a", "data strong")
        named = f"{read} names" if place else "0"
        sheet.text(left + (wide - 12) / 2, 160, named, "small soft")
    return sheet
