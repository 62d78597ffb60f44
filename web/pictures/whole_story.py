"""The story of the guide: every model on its way down, past the floors of the tables."""

from pictures.chart import Axis, Chart
from pictures.records import means, recorded

CURVES = (
    ("network", "one letter", "data", -6),
    ("without attention", "+ place", "parameter", -6),
    ("one head, Adam", "one head", "attention", -8),
    ("four heads", "four heads", "activation", 8),
    ("wide", "wider", "cost", 0),
)
FLOORS = (
    ("pairs", "pairs"),
    ("letter and position", "letter and place"),
    ("three letters", "three letters"),
    ("Kneser-Ney", "best of four letters"),
)
LEFTMOST = "pairs", "three letters", "Kneser-Ney"  # where a label has room
NAMES = Axis(1_000, 300_000, 44, 380, tens=True)
NATS = Axis(1.94, 2.56, 430, 34)


def draw() -> Chart:
    """Draw held-out losses by names seen, and four floors."""
    rungs = recorded("ends")["original"]["rungs"]
    sheet = Chart(484, NAMES, NATS)
    sheet.levels((2.0, 2.1, 2.2, 2.3, 2.4, 2.5), ".1f", "nats per token")
    sheet.foot((1_000, 10_000, 100_000), ",", "names seen", below=44)
    for name, said in FLOORS:
        floor = sheet.floor(rungs[name]["300000"]["mean"])
        if name in LEFTMOST:
            sheet.label(NAMES.start + 6, floor - 5, said, "soft")
        else:
            sheet.text(NAMES.end - 6, floor + 17, said, "small soft end")
    for name, said, role, down in CURVES:
        x, y = sheet.curve(means(rungs[name]), role)[-1]
        sheet.dot(x, y, 4, role)
        sheet.label(x + 9, y + 5 + down, said, role)
    return sheet
