"""Load recorded data, and draw the loss curves that several pictures share."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pictures.canvas import Axis, Canvas


def load_record(name: str) -> Any:
    """Return the parsed JSON of `docs/data/NAME.json`."""
    path = Path(__file__).parents[2] / "docs" / "data" / f"{name}.json"
    return json.loads(path.read_text("utf-8"))


class LossCurve(NamedTuple):
    """How to draw the losses of a model of `ends.json`."""

    record_key: str
    label: str
    role: str
    label_offset_px: float


class TableLoss(NamedTuple):
    """How to draw the lowest loss of a table of `ends.json`."""

    record_key: str
    label: str
    is_label_left: bool


def add_loss_curves(
    canvas: Canvas,
    loss_axis: Axis,
    loss_ticks: Iterable[float],
    curves: Iterable[LossCurve],
    tables: Iterable[TableLoss],
    names: str = "original",
) -> None:
    """Draw the loss curves of models on a list of names, and tables' losses."""
    models = load_record("ends")[names]["rungs"]
    most = max(map(int, models["network"]))
    canvas.set_axes(Axis(1_000, most, 44, 376, is_log=True), loss_axis)
    canvas.y_ticks(loss_ticks, ".1f", "nats per token")
    canvas.x_ticks((1_000, 10_000, 100_000), ",", "names seen")
    for key, label, is_label_left in tables:
        mean = models[key][str(most)]["mean"]
        ends = [(1_000.0, mean), (float(most), mean)]
        (first, y), (last, _) = canvas.curve(ends, classes="dashed")
        if is_label_left:
            canvas.label(first + 6, y - 5, label, "soft")
        else:
            canvas.text(last - 6, y + 17, label, "small soft end")
    for key, label, role, label_offset in curves:
        points = [(int(seen), entry["mean"]) for seen, entry in models[key].items()]
        position = (-1, 9, 5 + label_offset)
        *_, end = canvas.curve(points, role, name=label, name_position=position)
        canvas.circle(*end, 4, role)
