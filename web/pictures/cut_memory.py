"""What a card holds of a large model, by how much of it is cut into eight parts."""

from pictures.drawing import Drawing
from widgets.machines.model import CARD, MODELS, NUMBER

CARDS = 8
STAGES = ("copies", "ZeRO 1", "ZeRO 2", "ZeRO 3")
PARTS = (
    ("weights", 1, "parameter"),
    ("gradients", 1, "gradient"),
    ("Adam's means", 2, "activation"),
)
LEFT, TOP, HIGH, APART, WIDE = 78, 50, 30, 46, 3.2  # pixels; the last for a GB


def draw() -> Drawing:
    """Draw a bar for each stage; each cuts one thing more, the means first."""
    sheet = Drawing(280)
    billions = MODELS["GPT-3 6.7B"].num_parameters / 1e9
    edge = LEFT + CARD * WIDE
    sheet.line([(edge, 38), (edge, TOP + APART * 4)], "dashed")
    sheet.text(edge, 26, f"one card, {CARD:.0f} GB", "small soft")
    for stage, said in enumerate(STAGES):
        x, y = float(LEFT), TOP + APART * stage
        sheet.text(LEFT - 8, y + 20, said, "small end")
        for i, (_, numbers, role) in enumerate(PARTS):
            cut = CARDS if i > 2 - stage else 1
            wide = NUMBER * numbers * billions / cut * WIDE
            sheet.box(x, y, wide, HIGH, role, strength=0.45)
            x += wide
        sheet.text(x + 8, y + 20, f"{(x - LEFT) / WIDE:.0f}", "strong start")
    for left, (name, _, role) in zip((92, 200, 318), PARTS, strict=True):
        sheet.box(left - 18, 244, 14, 14, role, strength=0.45)
        sheet.label(left, 256, name, role)
    return sheet
