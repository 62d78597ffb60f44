"""How much each stage of training reads, from all text there is to a few judgements."""

from __future__ import annotations

import math

from pictures.drawing import Drawing

# Brown et al., 2020; Ouyang et al., 2022, table 6
STAGES = (
    ("pre-training", 300e9, "300 billion tokens", "data"),
    ("conversations", 12725, "12,725 demonstrations", "activation"),
    ("judgements", 33207, "33,207 questions, answers compared", "gradient"),
)
LEFT, WIDE, TOP, HIGH, APART = 12, 440, 30, 30, 70  # pixels


def draw() -> Drawing:
    """Draw a bar for each stage; ten times as much is as much longer everywhere."""
    sheet = Drawing(TOP + APART * len(STAGES))
    most = math.log10(STAGES[0][1])
    for row, (name, count, said, role) in enumerate(STAGES):
        y = TOP + APART * row
        sheet.text(LEFT, y - 9, name, role, look="small strong", anchor="start")
        wide = WIDE * math.log10(count) / most
        sheet.box(LEFT, y, wide, HIGH, role, strength=0.35)
        sheet.text(LEFT + 10, y + 20, said, look="small", anchor="start")
        if row:
            middle = LEFT + 380
            sheet.arrow((middle, y - APART + HIGH + 2), (middle, y + 12), weight=1)
    sheet.text(
        LEFT + WIDE, TOP - 9, "1, 10, 100, 1,000, …", look="small soft", anchor="end"
    )
    return sheet
