"""What was recorded, and the plan of pictures that show losses of whole trainings."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pictures.drawing import Axis, Drawing

DATA = Path(__file__).parents[2] / "docs/data"


def recorded(name: str) -> Any:
    """Return a record of `docs/data`."""
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def means(found: dict[str, Any]) -> list[tuple[float, float]]:
    """Return names seen, and the mean loss after them, of each moment of a record."""
    return [(int(seen), each["mean"]) for seen, each in found.items()]


def descents(
    sheet: Drawing,
    nats: Axis,
    levels: Iterable[float],
    curves: Iterable[tuple[str, str, str, float]],
    floors: Iterable[tuple[str, str, bool]],
) -> None:
    """Draw how models' losses fall on the original's names, past those of tables.

    A model has a record, a name, a role, and how far below its curve the name stands; a
    table has its record, its name, and whether that stands on the left.
    """
    rungs = recorded("ends")["original"]["rungs"]
    sheet.axes(Axis(1_000, 300_000, 44, 376, tens=True), nats)
    sheet.levels(levels, ".1f", "nats per token")
    sheet.foot((1_000, 10_000, 100_000), ",", "names seen")
    for name, said, left in floors:
        mean = rungs[name]["300000"]["mean"]
        ends = [(seen, mean) for seen in (sheet.x.first, sheet.x.last)]
        (first, y), (last, _) = sheet.curve(ends, look="dashed")
        if left:
            sheet.label(first + 6, y - 5, said, "soft")
        else:
            sheet.text(last - 6, y + 17, said, "small soft end")
    for name, said, role, down in curves:
        points = means(rungs[name])
        *_, end = sheet.curve(points, role, said=said, beside=(-1, 9, 5 + down))
        sheet.dot(*end, 4, role)
