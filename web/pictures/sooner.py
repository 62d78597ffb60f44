"""Held-out loss of the GPT against names read, with SGD and with Adam."""

import json
import math
from pathlib import Path
from typing import Any

from pictures.drawing import Drawing

DATA = Path(__file__).parents[2] / "docs/data"
SEEN = (3000, 10_000, 30_000, 100_000)
LEFT, ACROSS, TOP, DOWN = 50, 400, 20, 190  # pixels
MOST, LEAST = 2.46, 2.34  # nats


def draw() -> Drawing:
    """Draw a curve for each, with an arrow from Adam's loss to where SGD is as low."""
    sheet = Drawing(264)
    sheet.line([(LEFT, TOP), (LEFT, TOP + DOWN), (LEFT + ACROSS, TOP + DOWN)])
    for nats in (2.36, 2.4, 2.44):
        y = place(SEEN[0], nats)[1]
        sheet.text(LEFT - 8, y + 5, f"{nats:.2f}", look="small soft", anchor="end")
    for seen in SEEN:
        x = place(seen, LEAST)[0]
        sheet.text(x - 4, TOP + DOWN + 22, f"{seen:,}", look="small soft")
    sgd, adam = curve("four heads, SGD", "SGD"), curve("four heads", "Adam")
    momentum = curve("", "momentum")
    for points, role, look in (
        (sgd, "data", "thick dashed"),
        (momentum, "attention", "dashed"),
        (adam, "gradient", "thick"),
    ):
        sheet.line(points, role, look=look)
        for point in points:
            sheet.dot(*point, 4, role)
    (x0, y0), (x1, y1) = adam[1], sgd[2]
    sheet.arrow((x0 + 8, y0), (x1 - 8, y1), look="soft")
    sheet.text(sgd[1][0] + 12, sgd[1][1] - 12, "SGD", "data", anchor="start")
    sheet.text(adam[0][0] + 12, adam[0][1] + 56, "Adam", "gradient", anchor="start")
    x, y = momentum[0]
    sheet.text(
        x + 22, y - 22, "with momentum", "attention", look="small", anchor="start"
    )
    sheet.text(LEFT + ACROSS / 2, 256, "names read", look="small")
    return sheet


def curve(rung: str, variant: str) -> list[tuple[float, float]]:
    """Return the points of an optimizer: a long training has finer tuned rates."""
    ends, variants = recorded("ends"), recorded("variants")[variant]
    losses = {**ends.get(rung, {}), **variants}
    return [
        place(seen, losses[str(seen)]["mean"]) for seen in SEEN if str(seen) in losses
    ]


def recorded(name: str) -> Any:
    """Return what was measured with the guide's names."""
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))["guide"]["rungs"]


def place(seen: int, nats: float) -> tuple[float, float]:
    """Return where a loss stands, in pixels; names are on a scale of tens."""
    along = math.log(seen / SEEN[0]) / math.log(SEEN[-1] / SEEN[0])
    return LEFT + ACROSS * along, TOP + DOWN * (MOST - nats) / (MOST - LEAST)
