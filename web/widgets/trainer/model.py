"""Train any model of this guide, to the end, in your browser.

The C engine in `web/engine` trains in the browser, and defines the types of a run. Until
a reader trains, a page shows runs that `record_runs.mjs` has recorded with that engine.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypedDict

RECORDED_RUNS_FILE = Path(__file__).with_name("recorded_runs.json")
LadderModel = Literal["counts", "network", "positions", "average", "one", "four"]


class TrainerRuns(TypedDict):
    """A recorded run, and others that it is compared with."""

    run: object
    compared: list[object]


def trainer(
    run: str,
    compared: list[str] | None = None,
    models: list[LadderModel] | None = None,
) -> TrainerRuns:
    """Return recorded runs by their names in `record_runs.mjs`.

    Args:
        run: The run that the page shows first.
        compared: Runs that it is compared with.
        models: The models to choose from, on pages that come before the others are
            explained. Lists and optimizers cannot be chosen there. By default all.
    """
    return {
        "run": recorded_run(run),
        "compared": [recorded_run(name) for name in compared or []],
    }


@cache
def recorded_run(name: str) -> dict[str, Any]:
    """Return a recorded run by its name in `record_runs.mjs`."""
    runs: dict[str, dict[str, Any]] = json.loads(RECORDED_RUNS_FILE.read_text("utf-8"))
    if name not in runs:
        raise ValueError(f"run: expected one of {', '.join(runs)}, got {name!r}")
    return runs[name]
