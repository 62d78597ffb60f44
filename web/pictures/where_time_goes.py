"""Where the time of a training step goes, to scale, and how little is arithmetic."""

from pictures.drawing import Drawing
from pictures.records import recorded

PHASES = (
    ("forward", "forward", "activation"),
    ("order", "order", "data"),
    ("backward", "backward", "gradient"),
    ("freed", "", ""),
    ("adam", "Adam", "parameter"),
)
LEFT, ACROSS, TOP = 10, 460, 34  # pixels


def draw() -> Drawing:
    """Draw the parts of a step side by side, and below them the arithmetic in it."""
    found = recorded("speeds")
    sheet = Drawing(196)
    x: float = LEFT
    for name, said, role in PHASES:
        share = found["phases"][name]
        wide, middle = ACROSS * share, x + ACROSS * share / 2
        sheet.block(x, TOP, wide, 48, said, f"{role} small")
        sheet.text(middle, TOP + 70, f"{share:.0%}", "small soft")
        if not said:
            sheet.text(middle, TOP - 12, "freeing", "small")
            sheet.line([(middle, TOP - 6), (middle, TOP)])
        x += wide
    y = TOP + 100
    sheet.box(LEFT, y, ACROSS, 26, "soft")
    sheet.box(LEFT, y, ACROSS * found["arithmetic"], 26, "gradient", strength=1)
    sheet.line([(LEFT, y), (LEFT, y + 36)], "gradient")
    said = f"the arithmetic: {found['arithmetic']:.2%}"
    sheet.label(LEFT, y + 50, said, "gradient")
    return sheet
