"""What a parrot, the table and the GPT pay on names they have read, and on others."""

import math

from pictures.drawing import Drawing
from pictures.records import recorded
from snippets.ready import shuffled

FLOOR, NAT, TOP = 190, 54, 16  # pixels
LEFT, APART, WIDE = 36, 152, 52


def draw() -> Drawing:
    """Draw two bars for each, as high as the losses per token."""
    seen = shuffled()[0][:1000]
    parrot = math.log(len(seen)) * len(seen) / sum(len(name) + 1 for name in seen)
    read, held_out = recorded("memorised")["seen"], recorded("held-out")
    rows = (
        ("a perfect parrot", parrot, math.inf),
        ("the table of pairs", read["step0"], held_out["step0"]),
        ("the GPT", read["step5"], held_out["step5"]),
    )
    sheet = Drawing(226)
    sheet.line([(16, FLOOR), (464, FLOOR)], "soft")
    for i, (said, *losses) in enumerate(rows):
        x = LEFT + APART * i
        for place, loss in enumerate(losses):
            left, top = x + place * (WIDE + 6), max(TOP, FLOOR - NAT * loss)
            strength = 0.25 if place else 0.8
            sheet.box(left, top, WIDE, FLOOR - top, "data", strength=strength)
            middle = left + WIDE / 2
            if math.isinf(loss):
                sheet.arrow((middle, 60), (middle, TOP + 2), "data", weight=3)
                sheet.text(middle, 84, "∞", "large")
            else:
                sheet.text(middle, top - 7, f"{loss:.2f}", "small")
        sheet.text(x + WIDE + 3, FLOOR + 24, said, "small")
    return sheet
