"""The picture of the guide: each model on its way down, and the floors of the tables."""

import json
import math
from pathlib import Path

from pictures.drawing import Drawing

ENDS = Path(__file__).parents[2] / "docs/data/ends.json"
CURVES = (
    ("network", "one letter", "data", 0),
    ("without attention", "+ position", "parameter", 0),
    ("one head, Adam", "one head", "attention", -9),
    ("four heads", "four heads", "activation", 5),
)
FLOORS = (("pairs", "table of pairs"), ("letter and position", "letter and position"))
FIRST, LAST = 1_000, 300_000  # names seen
LEFT, RIGHT, TOP, LOW = 44, 372, 20, 280  # pixels
MOST, LEAST = 2.56, 2.08  # nats per token


def draw() -> Drawing:
    """Draw held-out losses by names seen, on a logarithmic axis."""
    rungs = json.loads(ENDS.read_text("utf-8"))["original"]["rungs"]
    sheet = Drawing(328)
    for nats in (2.1, 2.3, 2.5):
        sheet.line([(LEFT, _y(nats)), (RIGHT, _y(nats))], look="soft")
        sheet.text(
            LEFT - 8, _y(nats) + 5, f"{nats:.1f}", look="small soft end", anchor="end"
        )
    for seen, said in ((1_000, "1,000"), (10_000, "10,000"), (100_000, "100,000")):
        sheet.text(_x(seen), LOW + 22, said, look="small soft")
    sheet.text((LEFT + RIGHT) / 2, LOW + 42, "names seen", look="small soft")
    for name, said in FLOORS:
        floor = _y(rungs[name][str(LAST)]["mean"])
        sheet.line([(LEFT, floor), (RIGHT, floor)], look="dashed")
        sheet.text(LEFT + 6, floor + 17, said, look="small soft", anchor="start")
    for name, said, role, down in CURVES:
        points = [
            (_x(int(seen)), _y(found["mean"])) for seen, found in rungs[name].items()
        ]
        sheet.line(points, role, look="thick")
        x, y = points[-1]
        sheet.text(x + 6, y + 5 + down, said, role, look="small", anchor="start")
    return sheet


def _x(seen: float) -> float:
    return LEFT + (RIGHT - LEFT) * math.log(seen / FIRST) / math.log(LAST / FIRST)


def _y(nats: float) -> float:
    return TOP + (LOW - TOP) * (MOST - nats) / (MOST - LEAST)
