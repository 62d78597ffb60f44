"""The residual stream: one line that goes straight on, and two parts that add to it."""

from pictures.drawing import Drawing

X, BOX, WIDE, HIGH = 96, 210, 196, 40  # pixels
PARTS = (("attention", "attention", 92), ("MLP", "activation", 196))


def draw() -> Drawing:
    """Draw the stream from top to bottom, and what reads it and writes to it."""
    sheet = Drawing(330)
    sheet.block(X - 84, 8, 168, 36, "embeddings", "parameter small")
    sheet.line([(X, 44), (X, 280)], "activation thick")
    sheet.arrow((X, 270), (X, 284), "activation", weight=3)
    for name, role, y in PARTS:
        sheet.arrow((X, y - 18), (BOX, y + 6), role, bend=-14, weight=2)
        sheet.block(BOX, y - 6, WIDE, HIGH, f"norm, {name}", f"{role} small")
        sheet.arrow((BOX, y + 28), (X + 15, y + 48), role, bend=-14, weight=2)
        sheet.dot(X, y + 48, 13, "activation ring")
        sheet.text(X, y + 54, "+", "activation strong")
        sheet.text(BOX + WIDE / 2, y + 58, "writes in the margin", "small soft")
    sheet.block(X - 84, 286, 168, 36, "lm_head: logits", "parameter small")
    return sheet
