"""Pictures of data: what the fence says, and the file that holds the numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weave.page import Fence, Page

KEYS = {"title", "x", "y", "data"}
OPTIONAL = {"logarithmic", "looks"}
LOGARITHMIC = {"y": {"log": True}, "x and y": {"log": True, "logX": True}}


@dataclass(frozen=True)
class Plot:
    """What to draw, and the file of its data, relative to the project."""

    path: Path
    drawing: dict[str, Any]


def plot_path(page: Page, fence: Fence) -> Path:
    """Return the data file that a `plot` fence names."""
    return Path("docs", "data", _read(page, fence)["data"])


def plot_spec(root: Path, page: Page, fence: Fence) -> Plot:
    """Read a `plot` fence and its data."""
    said = _read(page, fence)
    path = Path("docs", "data", said.pop("data"))
    logarithmic = LOGARITHMIC.get(said.pop("logarithmic", ""), {})
    try:
        series = json.loads((root / path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise page.error(
            f"{path} cannot be read: run 'python -m weave update'", fence.line
        ) from None
    # Names may have commas in them.
    looks = {"looks": said.pop("looks").split("; ")} if "looks" in said else {}
    return Plot(path, {**said, **logarithmic, **looks, "series": series})


def _read(page: Page, fence: Fence) -> dict[str, str]:
    said = {}
    for line in fence.body:
        key, _, text = line.partition(":")
        said[key.strip()] = text.strip()
    keys = said.keys() - OPTIONAL
    if keys != KEYS or not all(said.values()) or "/" in said["data"]:
        raise page.error(
            "a plot says title, x, y and data (a file name), each on a line", fence.line
        )
    if said.get("logarithmic", "y") not in LOGARITHMIC:
        raise page.error(f"logarithmic is one of: {', '.join(LOGARITHMIC)}", fence.line)
    return said
