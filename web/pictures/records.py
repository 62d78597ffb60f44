"""What was recorded, for pictures of it."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "docs/data"


def recorded(name: str) -> Any:
    """Return a record of `docs/data`."""
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def means(found: dict[str, Any]) -> list[tuple[float, float]]:
    """Return names seen, and the mean loss after them, of each moment of a record."""
    return [(int(seen), each["mean"]) for seen, each in found.items()]
