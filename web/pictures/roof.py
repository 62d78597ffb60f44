"""The roof of one core, and the engines below it, as recorded."""

import json
import math
from pathlib import Path

from pictures.drawing import Drawing

RECORD = Path(__file__).parents[2] / "docs/data/speeds.json"
# What is drawn: its setting in the record, its engine, and where its name stands
POINTS = (
    ("width", 0, "value", "value", 12),
    ("width", 0, "dot", "dot", 12),
    ("width", 0, "lists", "lists", 12),
    ("width", 0, "torch", "torch", 12),
    ("width", 0, "numpy", "numpy", 12),
    ("width", 0, "c", "c", 12),
    ("batch", 2, "c", "c, 64 names", 12),
    ("width", 3, "c", "c, wide", -4),
)
LEFT, RIGHT, TOP, LOW = 62, 464, 20, 300  # pixels
NARROW, WIDE, LEAST, MOST = 0.1, 30.0, 0.002, 120.0


def draw() -> Drawing:
    """Draw GFLOP/s by FLOPs per byte, both on scales of tens."""
    record = json.loads(RECORD.read_text("utf-8"))
    flops, copy = (record["roofline"][key] / 1e9 for key in ("float64", "copy"))
    sheet = Drawing(356)
    for speed in (0.01, 0.1, 1, 10, 100):
        y = _y(speed)
        sheet.line([(LEFT, y), (RIGHT, y)], look="soft")
        sheet.text(LEFT - 8, y + 5, f"{speed:g}", look="small soft", anchor="end")
    for per_byte in (0.1, 1, 10):
        sheet.text(_x(per_byte), LOW + 20, f"{per_byte:g}", look="small soft")
    sheet.text((LEFT + RIGHT) / 2, LOW + 44, "FLOPs per byte", look="small soft")
    sheet.text(LEFT + 4, TOP - 4, "GFLOP/s", look="small soft", anchor="start")
    corner = flops / copy
    roof = [(NARROW, NARROW * copy), (corner, flops), (WIDE, flops)]
    sheet.line([(_x(x), _y(y)) for x, y in roof], look="thick")
    sheet.text(_x(0.16), _y(20), "memory", look="small strong")
    sheet.text(_x(14), _y(flops) + 20, "arithmetic", look="small strong")
    for size, place, engine, said, aside in POINTS:
        one = record["growth"][size][place]
        x = _x(one["flops"] / one["bytes"])
        y = _y(one["flops"] / one["engines"][engine]["ms"] / 1e6)
        up = 17 if said == "c, wide" else 0
        role = "activation" if engine in ("numpy", "torch", "c") else "data"
        sheet.dot(x, y, 6, role)
        anchor = "start" if aside > 0 else "end"
        sheet.text(x + aside, y + 5 - up, said, role, look="small", anchor=anchor)
    return sheet


def _x(per_byte: float) -> float:
    return LEFT + (RIGHT - LEFT) * math.log(per_byte / NARROW) / math.log(WIDE / NARROW)


def _y(speed: float) -> float:
    return LOW - (LOW - TOP) * math.log(speed / LEAST) / math.log(MOST / LEAST)
