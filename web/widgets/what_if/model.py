"""Flip one switch, say what will happen, and see the model trained both ways.

What trains is the engine of variants, in `web/engine/training.ts`; Python knows the
switches, and what `bench.what_if` has recorded of them with the same program.
"""

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from snippets.ready.verdicts import MUCH, verdict

HERE = Path(__file__).parent
RECORD = HERE.parents[2] / "docs" / "data" / "what-if.json"


class WhatIfSwitch(TypedDict):
    """What can be changed, and by how much the loss grew with it: nats per token."""

    id: str
    group: str
    label: str
    question: str
    anchor: str
    change: str
    losses: list[float | None]
    more: float | None
    error: float | None
    verdict: str


class WhatIf(TypedDict):
    """All switches, and the losses of the model as it is, a seed each."""

    switches: list[WhatIfSwitch]
    plain: list[float]
    much: float


def what_if() -> WhatIf:
    """Return the switches, and what is recorded of them."""
    found = [described(each) for each in switches()]
    return {"switches": found, "plain": recorded()["plain"], "much": MUCH}


@cache
def switches() -> list[dict[str, Any]]:
    """Return the switches, each with its group."""
    groups = tomllib.loads((HERE / "switches.toml").read_text("utf-8"))
    return [
        {**switch, "group": group}
        for group, inside in groups.items()
        for switch in inside["switches"]
    ]


@cache
def recorded() -> dict[str, Any]:
    """Return the losses of each switch, and of none, a seed each."""
    found: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return found


def described(switch: dict[str, Any]) -> WhatIfSwitch:
    """Return a switch with its result."""
    record = recorded()["switches"][switch["id"]]
    return {
        "id": switch["id"],
        "group": switch["group"],
        "label": switch["label"],
        "question": switch["question"],
        "anchor": re.sub(r"[^a-z0-9]+", "-", switch["question"].lower()).strip("-"),
        "change": json.dumps(switch["change"]),
        "losses": record["losses"],
        "more": record["more"],
        "error": record["error"],
        "verdict": verdict(**record),
    }
