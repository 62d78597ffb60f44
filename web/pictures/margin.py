"""The residual stream: one line that goes straight on, and two parts that add to it."""

from pictures.drawing import Drawing

X, BOX, WIDE, HIGH = 96, 210, 196, 40  # pixels
PARTS = (("attention", "attention", 92), ("MLP", "activation", 196))


def draw() -> Drawing:
    """Draw the stream from top to bottom, and what reads it and writes to it."""
    sheet = Drawing(330)
    sheet.box(X - 84, 8, 168, 36, "parameter")
    sheet.text(X, 31, "embeddings", "parameter", look="small")
    sheet.line([(X, 44), (X, 280)], "activation", look="thick")
    sheet.arrow((X, 270), (X, 284), "activation", weight=3)
    for name, role, y in PARTS:
        sheet.arrow((X, y - 18), (BOX, y + 6), role, bend=-14, weight=2)
        sheet.box(BOX, y - 6, WIDE, HIGH, role)
        sheet.text(BOX + WIDE / 2, y + 19, f"norm, {name}", role, look="small")
        sheet.arrow((BOX, y + 28), (X + 15, y + 48), role, bend=-14, weight=2)
        sheet.dot(X, y + 48, 13, "activation", look="ring")
        sheet.text(X, y + 54, "+", "activation", look="strong")
        sheet.text(BOX + WIDE / 2, y + 58, "writes in the margin", look="small soft")
    sheet.box(X - 84, 286, 168, 36, "parameter")
    sheet.text(X, 309, "lm_head: logits", "parameter", look="small")
    return sheet
