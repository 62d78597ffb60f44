"""Recorded data, and the curves of losses that several pictures share."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pictures.canvas import Axis, Canvas

DATA_FOLDER = Path(__file__).parents[2] / "docs/data"


def load_record(name: str) -> Any:
    """Return what a JSON file of `docs/data/` holds."""
    return json.loads((DATA_FOLDER / f"{name}.json").read_text("utf-8"))


def mean_losses(records_by_names_seen: dict[str, Any]) -> list[tuple[float, float]]:
    """Return (names seen, mean loss after them) for each number of names recorded."""
    return [
        (int(seen), record["mean"]) for seen, record in records_by_names_seen.items()
    ]


def add_loss_curves(
    canvas: Canvas,
    loss_axis: Axis,
    loss_ticks: Iterable[float],
    curves: Iterable[tuple[str, str, str, float]],
    tables: Iterable[tuple[str, str, bool]],
) -> None:
    """Draw how models' losses fall on the original's names, past those of tables.

    Args:
        canvas: The canvas to draw on.
        loss_axis: The axis of the losses.
        loss_ticks: The losses at which to draw a line across.
        curves: For each model its key in `ends.json`, a label, a role, and how many
            pixels to lower the label.
        tables: For each table its key in `ends.json`, a label, and whether that stands
            on the left.
    """
    models = load_record("ends")["original"]["rungs"]
    canvas.set_axes(Axis(1_000, 300_000, 44, 376, is_logarithmic=True), loss_axis)
    canvas.y_ticks(loss_ticks, ".1f", "nats per token")
    canvas.x_ticks((1_000, 10_000, 100_000), ",", "names seen")
    for key, label, is_left in tables:
        mean = models[key]["300000"]["mean"]
        ends = [
            (seen, mean) for seen in (canvas.x_axis.min_value, canvas.x_axis.max_value)
        ]
        (first, y), (last, _) = canvas.curve(ends, line_classes="dashed")
        if is_left:
            canvas.label(first + 6, y - 5, label, "soft")
        else:
            canvas.text(last - 6, y + 17, label, "small soft end")
    for key, label, role, label_offset in curves:
        points = mean_losses(models[key])
        *_, end = canvas.curve(
            points, role, name=label, name_position=(-1, 9, 5 + label_offset)
        )
        canvas.circle(*end, 4, role)
