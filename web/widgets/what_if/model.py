"""Flip one switch, say what will happen, and see the model trained both ways.

The engine in `web/engine/training.ts` trains in the browser; `bench.what_if` has recorded
the losses of each switch with the same engine.
"""

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from snippets.ready.verdicts import MUCH_HIGHER_THRESHOLD, verdict

RECORDED_LOSSES_FILE = Path(__file__).parents[3] / "docs/data/what-if.json"


class WhatIfSwitch(TypedDict):
    """A switch, and what ten seeds say about it; losses are in nats per token.

    `difference` is the mean of the losses less those of the baseline, ± `margin`; both
    are None if a run has no loss. `change` is JSON for `web/engine/training_change.ts`.
    """

    id: str
    group: str
    label: str
    question: str
    anchor: str
    change: str
    losses: list[float | None]
    difference: float | None
    margin: float | None
    verdict: str


class WhatIfResults(TypedDict):
    """All switches, and the losses of the unchanged model, one for each seed.

    A loss that grows by more than `much_higher` is much higher.
    """

    switches: list[WhatIfSwitch]
    baseline_losses: list[float]
    much_higher: float


def what_if() -> WhatIfResults:
    """Return the switches with their recorded losses."""
    return {
        "switches": [switch_with_losses(switch) for switch in switches()],
        "baseline_losses": recorded_losses()["plain"],
        "much_higher": MUCH_HIGHER_THRESHOLD,
    }


@cache
def switches() -> list[dict[str, Any]]:
    """Return the switches of `switches.toml`, each with the name of its group."""
    groups = tomllib.loads(Path(__file__).with_name("switches.toml").read_text("utf-8"))
    return [
        {**switch, "group": group}
        for group, table in groups.items()
        for switch in table["switches"]
    ]


@cache
def recorded_losses() -> dict[str, Any]:
    """Return the recorded losses of each switch, and of the unchanged model."""
    losses: dict[str, Any] = json.loads(RECORDED_LOSSES_FILE.read_text("utf-8"))
    return losses


def switch_with_losses(switch: dict[str, Any]) -> WhatIfSwitch:
    """Return a switch with its recorded losses and its verdict."""
    record = recorded_losses()["switches"][switch["id"]]
    return {
        "id": switch["id"],
        "group": switch["group"],
        "label": switch["label"],
        "question": switch["question"],
        "anchor": re.sub(r"[^a-z0-9]+", "-", switch["question"].lower()).strip("-"),
        "change": json.dumps(switch["change"]),
        "losses": record["losses"],
        "difference": record["more"],
        "margin": record["error"],
        "verdict": verdict(record["more"], record["error"]),
    }
