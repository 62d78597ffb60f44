"""The recorded losses of counting and of the network, smoothed."""

import json
from pathlib import Path

from pictures.drawing import Drawing

DATA = Path(__file__).parents[2] / "docs/data"
WINDOW = 100  # losses of a mean
LEFT, ACROSS, TOP, DOWN = 46, 410, 16, 190  # pixels
MOST, LEAST = 3.3, 2.5  # nats


def draw() -> Drawing:
    """Draw both runs of a thousand steps, with the level of a blind guess."""
    sheet = Drawing(256)
    sheet.line([(LEFT, TOP), (LEFT, TOP + DOWN), (LEFT + ACROSS, TOP + DOWN)])
    for nats in (2.6, 2.8, 3.0, 3.2):
        y = TOP + DOWN * (MOST - nats) / (MOST - LEAST)
        sheet.text(LEFT - 8, y + 5, f"{nats:.1f}", look="small soft", anchor="end")
    for program, role, look in (
        ("step0", "data", "thick dashed"),
        ("step1", "cost", "thick"),
    ):
        losses = json.loads((DATA / f"{program}.json").read_text("utf-8"))
        points = []
        for end in range(20, len(losses) + 1, 10):
            last = losses[max(0, end - WINDOW) : end]
            share = (MOST - sum(last) / len(last)) / (MOST - LEAST)
            points.append((LEFT + ACROSS * end / len(losses), TOP + DOWN * share))
        sheet.line(points, role, look=look)
    sheet.text(LEFT + 120, TOP + 40, "the network", "cost", anchor="start")
    sheet.text(LEFT + 30, TOP + 168, "counting", "data", anchor="start")
    for step in (0, 500, 1000):
        x = LEFT + ACROSS * step / 1000
        sheet.text(x, TOP + DOWN + 22, step, look="small soft")
    sheet.text(LEFT + ACROSS / 2, 248, "names read", look="small")
    return sheet
