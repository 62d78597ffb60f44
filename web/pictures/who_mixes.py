"""One letter changed, and which numbers change where: only attention looks sideways."""

import math

from pictures.drawing import Drawing
from pictures.passes import passes

BEFORE, AFTER = "emma", "elma"
LEFT, WIDE, HIGH, TOP = 150, 66, 36, 34  # pixels
STAGES = {
    "letter + place": "both",
    "RMSNorm": "x",
    "query": "query",
    "key, value": "kept",
    "attention": "attended",
    "RMSNorm, fc1": "hidden",
    "ReLU, fc2, add": "end",
    "lm_head": "logits",
}


def draw() -> Drawing:
    """Draw a row for each stage and a column for each letter, filled where it differs."""
    both = list(zip(passes(BEFORE), passes(AFTER), strict=True))
    sheet = Drawing(TOP + HIGH * len(STAGES) + 6)
    sheet.text(LEFT + WIDE / 2, 20, "start", "small")
    for i, (old, new) in enumerate(zip(BEFORE, AFTER, strict=True), 1):
        said, role = (old, "") if old == new else (f"{old} → {new}", "attention")
        sheet.text(LEFT + WIDE * (i + 0.5), 20, said, f"{role} strong")
    for row, (name, key) in enumerate(STAGES.items()):
        y, mixes = TOP + HIGH * row, "attention strong" if name == "attention" else ""
        sheet.text(LEFT - 12, y + 22, name, f"{mixes} small end")
        gaps = [math.dist(old[key], new[key]) for old, new in both]
        for i, gap in enumerate(gaps):
            strength = 0.15 + 0.85 * gap / max(gaps) if gap else 0.0
            box = (LEFT + WIDE * i + 3, y + 3, WIDE - 6, HIGH - 6)
            sheet.box(*box, "attention" if gap else "", strength=strength)
    return sheet
