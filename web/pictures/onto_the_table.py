"""The network's loss sinks onto the table's and stays there."""

import json
import math

from pictures.drawing import Drawing
from pictures.floors import ENDS

FIRST, LAST = 1_000, 100_000  # names read
LEFT, RIGHT, TOP, LOW = 44, 372, 20, 170  # pixels
MOST, LEAST = 2.62, 2.53  # nats per token


def draw() -> Drawing:
    """Draw one curve and one floor, on a logarithmic axis."""
    rungs = json.loads(ENDS.read_text("utf-8"))["guide"]["rungs"]
    sheet = Drawing(212)
    for nats in (2.54, 2.57, 2.6):
        sheet.line([(LEFT, _y(nats)), (RIGHT, _y(nats))], look="soft")
        sheet.text(
            LEFT - 8, _y(nats) + 5, f"{nats:.2f}", look="small soft end", anchor="end"
        )
    for seen, said in ((1_000, "1,000"), (10_000, "10,000"), (100_000, "100,000")):
        sheet.text(_x(seen), LOW + 20, said, look="small soft")
    sheet.text((LEFT + RIGHT) / 2, LOW + 38, "names read", look="small soft")
    table = rungs["pairs"][str(LAST)]
    floor = _y(table["mean"])
    sheet.line([(LEFT, floor), (RIGHT, floor)], look="dashed")
    sheet.text(LEFT + 6, floor - 6, "table of pairs", look="small soft", anchor="start")
    points = [
        (_x(int(seen)), _y(found["mean"]))
        for seen, found in rungs["network"].items()
        if int(seen) <= LAST
    ]
    sheet.line(points, "data", look="thick")
    x, y = points[1]
    sheet.text(x + 8, y - 4, "network", "data", look="small", anchor="start")
    return sheet


def _x(seen: float) -> float:
    return LEFT + (RIGHT - LEFT) * math.log(seen / FIRST) / math.log(LAST / FIRST)


def _y(nats: float) -> float:
    return TOP + (LOW - TOP) * (MOST - nats) / (MOST - LEAST)
