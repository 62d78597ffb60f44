"""How long a step takes in each engine, as recorded, while one size grows."""

import json
from pathlib import Path
from typing import Any, TypedDict

from widgets._numbers import significant

RECORD = Path(__file__).parents[3] / "docs" / "data" / "speeds.json"


class SpeedsTime(TypedDict):
    """Milliseconds per step; `times` as fast as the first engine at these sizes."""

    engine: str
    ms: float
    times: float


class SpeedsSetting(TypedDict):
    """What grew, and how large all sizes are; what each engine takes."""

    grown: str
    layers: int
    width: int
    context: int
    batch: int
    parameters: int
    engines: list[SpeedsTime]


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
            setting_of(grown, sizes)
            for grown, all_sizes in record["growth"].items()
            for sizes in all_sizes
        ],
    )


def setting_of(grown: str, sizes: dict[str, Any]) -> SpeedsSetting:
    """Return a setting of the record."""
    times = {engine: found["ms"] for engine, found in sizes["engines"].items()}
    first = next(iter(times.values()))
    return SpeedsSetting(
        grown=grown,
        layers=sizes["layers"],
        width=sizes["width"],
        context=sizes["context"],
        batch=sizes["batch"],
        parameters=sizes["parameters"],
        engines=[
            SpeedsTime(engine=engine, ms=significant(ms), times=significant(first / ms))
            for engine, ms in times.items()
        ],
    )
