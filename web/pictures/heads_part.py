"""What four heads are worth, against the names seen: nothing at first, then something."""

from pictures.chart import Axis, Chart
from pictures.records import recorded

SETS = (("original", "29,494 names", "attention"), ("guide", "5,676 names", "data"))
NAMES, NATS = Axis(1_000, 100_000, 88, 392, tens=True), Axis(0, 0.02, 214, 62)


def draw() -> Chart:
    """Draw the mean of ten differences at each count, with its 95% interval."""
    ends = recorded("ends")
    sheet = Chart(298, NAMES, NATS)
    for tick in (0.0, 0.01, 0.02):
        y = NATS(tick)
        sheet.line([(68, y), (466, y)], "soft dashed" if tick else "")
        sheet.text(58, y + 5, f"{tick:g}", "small end")
    sheet.label(4, 16, "nats that four heads gain", "soft")
    for tick in (1_000, 10_000, 100_000):
        sheet.text(NAMES(tick), 266, f"{tick:,}", "small")
    sheet.text(466, 292, "names seen", "small soft end")
    for offset, (which, said, role) in zip((-4, 4), SETS, strict=True):
        points = []
        for seen, (mean, interval) in ends[which]["differences"]["heads"].items():
            x, y = NAMES(int(seen)) + offset, NATS(mean)
            points.append((x, y))
            sheet.line([(x, NATS(mean + side * interval)) for side in (1, -1)], role)
            sheet.dot(x, y, 4, role)
        sheet.line(points, f"{role} thick")
        x, y = points[-2 if which == "original" else -1]
        above = -34 if which == "original" else 62
        sheet.text(x - 20, y + above, said, f"{role} small strong")
    return sheet
