"""Train any model of this guide, to the end, in your browser.

What trains is the C engine, in `web/engine`; Python only knows the runs that a page
shows before its reader trains. `record.mjs` has trained them with the same program.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypedDict

RECORDED = Path(__file__).with_name("recorded.json")
Off = Literal[
    "positions",
    "attention",
    "queries",
    "root",
    "residual",
    "norm",
    "mlp",
    "correction",
    "zeroing",
]


class TrainerSetup(TypedDict):
    """What is trained, and how."""

    model: Literal["counts", "network", "gpt"]
    seen: int
    batch: int
    optimizer: Literal["SGD", "Adam"]
    rate: float
    seed: int
    width: int
    layers: int
    heads: int
    off: list[Off]


class TrainerMoment(TypedDict):
    """A model after as many names, at a place of the grid; losses in nats per token."""

    index: int
    seen: int
    training: float | None
    heldOut: float | None
    names: list[str]


class TrainerBegun(TypedDict):
    """What there is to know of a run before its first step."""

    setup: TrainerSetup
    parameters: int
    names: int
    heldOut: int
    cut: int
    characters: str
    pairs: float | None
    placed: float | None
    shapes: list[tuple[str, int, int]]
    seen: int


class TrainerRun(TypedDict):
    """A run, and what was seen of it."""

    begun: TrainerBegun
    moments: list[TrainerMoment]
    broken: bool


class Trainer(TypedDict):
    """A run, and those that stand beside it."""

    run: TrainerRun
    beside: list[TrainerRun]


def trainer(run: str, beside: list[str] | None = None) -> Trainer:
    """Return a recorded run, and others to compare it with."""
    return {
        "run": recorded(run),
        "beside": [recorded(name) for name in beside or []],
    }


def recorded(name: str) -> TrainerRun:
    """Return the run of that name in record.mjs."""
    runs = all_recorded()
    if name not in runs:
        raise ValueError(f"no run is called {name!r}; choose one of {', '.join(runs)}")
    found: TrainerRun = runs[name]
    return found


@cache
def all_recorded() -> dict[str, Any]:
    """Read what was recorded."""
    found: dict[str, Any] = json.loads(RECORDED.read_text("utf-8"))
    return found
