"""Held-out loss of the GPT against names read, with SGD and with Adam."""

from __future__ import annotations

import json
import math
from pathlib import Path

from pictures.drawing import Drawing

ENDS = Path(__file__).parents[2] / "docs/data/ends.json"
SEEN = (1000, 3000, 10_000, 30_000, 100_000)
LEFT, ACROSS, TOP, DOWN = 50, 400, 20, 190  # pixels
MOST, LEAST = 2.48, 2.34  # nats


def draw() -> Drawing:
    """Draw both curves, with an arrow from Adam's loss to where SGD is as low."""
    sheet = Drawing(264)
    sheet.line([(LEFT, TOP), (LEFT, TOP + DOWN), (LEFT + ACROSS, TOP + DOWN)])
    for nats in (2.36, 2.4, 2.44, 2.48):
        y = place(1000, nats)[1]
        sheet.text(LEFT - 8, y + 5, f"{nats:.2f}", look="small soft", anchor="end")
    for seen in SEEN:
        x = place(seen, LEAST)[0]
        sheet.text(x - 4, TOP + DOWN + 22, f"{seen:,}", look="small soft")
    rungs = json.loads(ENDS.read_text("utf-8"))["guide"]["rungs"]
    adam, sgd = (
        [place(seen, rungs[name][str(seen)]["mean"]) for seen in SEEN]
        for name in ("four heads", "four heads, SGD")
    )
    for points, role, look in (
        (sgd, "data", "thick dashed"),
        (adam, "gradient", "thick"),
    ):
        sheet.line(points, role, look=look)
        for point in points:
            sheet.dot(*point, 4, role)
    (x0, y0), (x1, y1) = adam[2], sgd[3]
    sheet.arrow((x0 + 8, y0), (x1 - 8, y1), look="soft")
    sheet.text(sgd[2][0] + 12, sgd[2][1] - 12, "SGD", "data", anchor="start")
    sheet.text(adam[1][0] - 12, adam[1][1] + 22, "Adam", "gradient", anchor="end")
    sheet.text(LEFT + ACROSS / 2, 256, "names read", look="small")
    return sheet


def place(seen: int, nats: float) -> tuple[float, float]:
    """Return where a loss stands, in pixels; names are on a scale of tens."""
    along = math.log(seen / SEEN[0]) / math.log(SEEN[-1] / SEEN[0])
    return LEFT + ACROSS * along, TOP + DOWN * (MOST - nats) / (MOST - LEAST)
