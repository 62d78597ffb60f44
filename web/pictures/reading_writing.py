"""How many tokens a card reads and writes in a second, by how many users it serves."""

import math

from pictures.drawing import Drawing

# NVIDIA's data sheet of the H100; 8 billion weights of two bytes
READ = 0.4 * 989e12 / (2 * 8e9)
WRITTEN = 3.35e12 / (2 * 8e9)
ROWS = (
    ("reading", READ, "activation"),
    ("writing, one user", WRITTEN, "gradient"),
    ("writing, ten users", 10 * WRITTEN, "gradient"),
    ("writing, two hundred users", min(READ, 200 * WRITTEN), "gradient"),
)
LEFT, WIDE, TOP, HIGH, APART = 12, 420, 30, 24, 56  # pixels


def draw() -> Drawing:
    """Draw a bar for each; ten times as many tokens is as much longer everywhere."""
    bottom = TOP + APART * len(ROWS) - 16
    sheet = Drawing(bottom + 42)
    unit = WIDE / math.log10(READ)
    for power, said in ((0, "1"), (1, "10"), (2, "100"), (3, "1,000"), (4, "10,000")):
        x, anchor = LEFT + unit * power, "middle" if power else "start"
        sheet.line([(x, TOP), (x, bottom)], "soft dashed")
        sheet.text(x, bottom + 18, said, f"small soft {anchor}")
    sheet.text(LEFT + WIDE / 2, bottom + 38, "tokens per second", "small soft")
    for row, (name, tokens, role) in enumerate(ROWS):
        y = TOP + APART * row
        sheet.label(LEFT, y - 8, name, f"{role} strong")
        wide = unit * math.log10(tokens)
        sheet.box(LEFT, y, wide, HIGH, role, strength=0.35)
        sheet.label(LEFT + 10, y + 17, f"{tokens:,.0f}")
    return sheet
