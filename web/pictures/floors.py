"""The picture of the guide: each model on its way down, and the floors of the tables."""

from pictures.chart import Axis, Chart
from pictures.records import means, recorded

CURVES = (
    ("network", "one letter", "data", 0),
    ("without attention", "+ position", "parameter", 0),
    ("one head, Adam", "one head", "attention", -9),
    ("four heads", "four heads", "activation", 5),
)
FLOORS = (("pairs", "table of pairs"), ("letter and position", "letter + position"))
NAMES = Axis(1_000, 300_000, 44, 372, tens=True)
NATS = Axis(2.08, 2.56, 280, 20)


def draw() -> Chart:
    """Draw held-out losses by names seen."""
    rungs = recorded("ends")["original"]["rungs"]
    sheet = Chart(328, NAMES, NATS)
    sheet.levels((2.1, 2.3, 2.5), ".1f", "nats per token")
    sheet.foot((1_000, 10_000, 100_000), ",", "names seen", below=42)
    for name, said in FLOORS:
        floor = sheet.floor(rungs[name]["300000"]["mean"])
        sheet.text(NAMES.end, floor + 17, said, "small soft end")
    for name, said, role, down in CURVES:
        x, y = sheet.curve(means(rungs[name]), role)[-1]
        sheet.label(x + 6, y + 5 + down, said, role)
    return sheet
