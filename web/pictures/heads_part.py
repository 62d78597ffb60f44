"""What four heads are worth, against the names seen: nothing at first, then something."""

import math

from pictures.drawing import Drawing
from pictures.records import recorded

SETS = (("original", "29,494 names", "attention"), ("guide", "5,676 names", "data"))
LEFT, RIGHT, ZERO = 68, 466, 214  # pixels
NAT, DECADE = 7600, 152  # pixels for a nat, and for ten times as many names


def draw() -> Drawing:
    """Draw the mean of ten differences at each count, with its 95% interval."""
    ends = recorded("ends")
    sheet = Drawing(298)
    for tick in (0.0, 0.01, 0.02):
        y = ZERO - NAT * tick
        sheet.line([(LEFT, y), (RIGHT, y)], look="soft dashed" if tick else "")
        sheet.text(LEFT - 10, y + 5, f"{tick:g}", look="small", anchor="end")
    sheet.label(4, 16, "nats that four heads gain", look="small soft")
    for tick in (1_000, 10_000, 100_000):
        sheet.text(across(tick), 266, f"{tick:,}", look="small")
    sheet.text(RIGHT, 292, "names seen", look="small soft", anchor="end")
    for offset, (which, said, role) in zip((-4, 4), SETS, strict=True):
        found = ends[which]["differences"]["heads"]
        points = [
            (across(int(seen)) + offset, ZERO - NAT * mean, NAT * interval)
            for seen, (mean, interval) in found.items()
        ]
        sheet.line([(x, y) for x, y, _ in points], role, look="thick")
        for x, y, up in points:
            sheet.line([(x, y - up), (x, y + up)], role)
            sheet.dot(x, y, 4, role)
        x, y, _ = points[-2 if which == "original" else -1]
        above = -34 if which == "original" else 62
        sheet.text(x - 20, y + above, said, role, look="small strong")
    return sheet


def across(seen: int) -> float:
    """Return where a number of names stands."""
    return LEFT + 20 + DECADE * math.log10(seen / 1000)
