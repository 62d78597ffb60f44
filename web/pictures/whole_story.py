"""The story of the guide: every model on its way down, past the floors of the tables."""

import json
import math

from pictures.drawing import Drawing
from pictures.floors import ENDS, FIRST, LAST

CURVES = (
    ("network", "one letter", "data", -6),
    ("without attention", "+ place", "parameter", -6),
    ("one head, Adam", "one head", "attention", -8),
    ("four heads", "four heads", "activation", 8),
    ("wide", "wider", "cost", 0),
)
FLOORS = (
    ("pairs", "table of pairs"),
    ("letter and position", "letter and place"),
    ("three letters", "table of three letters"),
    ("Kneser-Ney", "best table of four letters"),
)
LEFTMOST = "pairs", "three letters", "Kneser-Ney"  # where a label has room
LEFT, RIGHT, TOP, LOW = 44, 380, 34, 430  # pixels
MOST, LEAST = 2.56, 1.94  # nats per token


def draw() -> Drawing:
    """Draw held-out losses by names seen, on a logarithmic axis, and four floors."""
    rungs = json.loads(ENDS.read_text("utf-8"))["original"]["rungs"]
    sheet = Drawing(484)
    for nats in (2.0, 2.1, 2.2, 2.3, 2.4, 2.5):
        y = _y(nats)
        sheet.line([(LEFT, y), (RIGHT, y)], look="soft")
        sheet.text(LEFT - 8, y + 5, f"{nats:.1f}", look="small soft", anchor="end")
    for seen in (1_000, 10_000, 100_000):
        sheet.text(_x(seen), LOW + 22, f"{seen:,}", look="small soft")
    sheet.text((LEFT + RIGHT) / 2, LOW + 44, "names seen", look="small soft")
    sheet.text(LEFT, 18, "nats per token", look="small soft", anchor="start")
    for name, said in FLOORS:
        floor = _y(rungs[name][str(LAST)]["mean"])
        sheet.line([(LEFT, floor), (RIGHT, floor)], look="dashed")
        left, anchor = (LEFT + 6, "start") if name in LEFTMOST else (RIGHT - 6, "end")
        sheet.text(left, floor + 17, said, look="small soft", anchor=anchor)
    for name, said, role, down in CURVES:
        points = [(_x(int(n)), _y(end["mean"])) for n, end in rungs[name].items()]
        sheet.line(points, role, look="thick")
        x, y = points[-1]
        sheet.dot(x, y, 4, role)
        sheet.text(x + 9, y + 5 + down, said, role, look="small", anchor="start")
    return sheet


def _x(seen: float) -> float:
    return LEFT + (RIGHT - LEFT) * math.log(seen / FIRST) / math.log(LAST / FIRST)


def _y(nats: float) -> float:
    return TOP + (LOW - TOP) * (MOST - nats) / (MOST - LEAST)
