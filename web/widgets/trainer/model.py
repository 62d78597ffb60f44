"""Train any model of this guide, to the end, in your browser.

What trains is the C engine, in `web/engine`, where the types of a run stand; Python only
knows the runs that a page shows before its reader trains. `record.mjs` has trained them
with the same program.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

RECORDED = Path(__file__).with_name("recorded.json")


class Trainer(TypedDict):
    """A run, and those that stand beside it."""

    run: object
    beside: list[object]


def trainer(run: str, beside: list[str] | None = None) -> Trainer:
    """Return a recorded run, and others to compare it with."""
    return {
        "run": recorded(run),
        "beside": [recorded(name) for name in beside or []],
    }


@cache
def recorded(name: str) -> dict[str, Any]:
    """Return the run of that name in record.mjs."""
    runs: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text("utf-8"))
    if name not in runs:
        raise ValueError(f"no run is called {name!r}; choose one of {', '.join(runs)}")
    return runs[name]
