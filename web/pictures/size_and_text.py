"""Held-out loss by parameters, with many names to learn from and with few."""

import json
import math
from pathlib import Path

from microgpt import Config
from pictures.drawing import Drawing

ENDS = Path(__file__).parents[2] / "docs/data/ends.json"
SIZES = {
    "four heads": Config(),
    "two layers": Config(n_layer=2),
    "four layers": Config(n_layer=4),
    "width 32": Config(n_embd=32),
    "wide": Config(n_embd=64, n_layer=2),
}
SETS = (
    ("guide", "100000", "5,676 names", "data"),
    ("original", "300000", "29,494 names", "attention"),
)
LEFT, RIGHT, TOP, LOW = 52, 452, 20, 250  # pixels
MOST, LEAST = 2.4, 1.95  # nats per token


def draw() -> Drawing:
    """Draw a line through the models for each set, on a logarithmic axis."""
    ends = json.loads(ENDS.read_text("utf-8"))
    sheet = Drawing(306)
    for nats in (2.0, 2.1, 2.2, 2.3, 2.4):
        y = _y(nats)
        sheet.line([(LEFT, y), (RIGHT, y)], look="soft")
        sheet.text(LEFT - 8, y + 5, f"{nats:.1f}", look="small soft", anchor="end")
    for count in (5_000, 20_000, 80_000):
        sheet.text(_x(count), LOW + 22, f"{count:,}", look="small soft")
    sheet.text((LEFT + RIGHT) / 2, LOW + 46, "parameters", look="small soft")
    for which, seen, said, role in SETS:
        rungs = ends[which]["rungs"]
        points = [
            (_x(size.num_parameters), _y(rungs[name][seen]["mean"]))
            for name, size in SIZES.items()
        ]
        sheet.line(points, role, look="thick")
        for point in points:
            sheet.dot(*point, 5, role)
        x, y = points[1]
        sheet.text(x + 12, y - 14, said, role, look="small", anchor="start")
    return sheet


def _x(count: float) -> float:
    return LEFT + 14 + (RIGHT - LEFT - 28) * math.log(count / 4192) / math.log(24.6)


def _y(nats: float) -> float:
    return TOP + (LOW - TOP) * (MOST - nats) / (MOST - LEAST)
