"""How much each stage of training reads, from all text there is to a few judgements."""

import math

from pictures.drawing import Drawing

# Brown et al., 2020; Ouyang et al., 2022, table 6
STAGES = (
    ("pre-training", 300e9, "300 billion tokens", "data"),
    ("conversations", 12725, "12,725 demonstrations", "activation"),
    ("judgements", 33207, "33,207 questions", "gradient"),
)
TICKS = ((0, "1"), (3, "thousand"), (6, "million"), (9, "billion"))
LEFT, WIDE, TOP, HIGH, APART = 12, 440, 30, 26, 62  # pixels


def draw() -> Drawing:
    """Draw a bar for each stage; ten times as much is as much longer everywhere."""
    bottom = TOP + APART * len(STAGES) - 12
    sheet = Drawing(bottom + 28)
    unit = WIDE / math.log10(STAGES[0][1])
    for power, said in TICKS:
        x, anchor = LEFT + unit * power, "middle" if power else "start"
        sheet.line([(x, TOP), (x, bottom)], "soft dashed")
        sheet.text(x, bottom + 18, said, f"small soft {anchor}")
    for row, (name, count, said, role) in enumerate(STAGES):
        y = TOP + APART * row
        sheet.label(LEFT, y - 9, name, f"{role} strong")
        wide = unit * math.log10(count)
        sheet.box(LEFT, y, wide, HIGH, role, strength=0.35)
        x = LEFT + (wide if row else 0) + 10
        sheet.label(x, y + 18, said)
    return sheet
