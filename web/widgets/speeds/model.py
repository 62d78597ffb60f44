"""How long a step takes in each engine, as recorded, while one size grows."""

import json
from pathlib import Path
from typing import TypedDict

RECORD = Path(__file__).parents[3] / "docs" / "data" / "speeds.json"


class SpeedsSetting(TypedDict):
    """What grew, and how large all sizes are; milliseconds per step of each engine."""

    grown: str
    layers: int
    width: int
    context: int
    batch: int
    parameters: int
    engines: dict[str, float]


class Speeds(TypedDict):
    """The record of the engines, and of the machine that made it."""

    machine: str
    settings: list[SpeedsSetting]


def speeds() -> Speeds:
    """Return what `python -m bench` has measured."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    machine = record["machine"]
    return Speeds(
        machine=f"one core ({machine['cpu']}), Python {machine['python']}",
        settings=[
            SpeedsSetting(
                grown=grown,
                layers=sizes["layers"],
                width=sizes["width"],
                context=sizes["context"],
                batch=sizes["batch"],
                parameters=sizes["parameters"],
                engines={name: one["ms"] for name, one in sizes["engines"].items()},
            )
            for grown, all_sizes in record["growth"].items()
            for sizes in all_sizes
        ],
    )
