"""Measure all of it, and write `docs/data/speeds.json`: `python -m bench.record`.

Give the machine a rest first: what else runs on it is measured as well.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import profile
from bench.engines import available, ladder
from bench.engines import show as show_ladder
from bench.flops import ADAM
from bench.growth import QUICK, SIZES, STEPS, Measured, growth
from bench.machine import description, gpu, machine
from bench.peak_memory import memory
from bench.pythons import STEPS as PYTHON_STEPS
from bench.pythons import pythons
from bench.roofline import roofline
from bench.roofline import show as show_roofline
from bench.timing import digits
from bench.variants import SETTINGS as VARIANT_SETTINGS
from bench.variants import on_device
from microgpt import load_names
from microgpt.cli.parser import positive

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs" / "data" / "speeds.json"
# The other parts print their tables as they are measured.
SHOWN: dict[str, Callable[[Any], None]] = {
    "ladder": show_ladder,
    "roofline": show_roofline,
    "phases": print,
    "collector": print,
    "arithmetic": print,
}


def parts(interpreters: Sequence[str], most: int) -> dict[str, Callable[[], Any]]:
    """Return how each part of the record is measured, with as many steps at most."""
    names, engines = load_names(), available()
    steps = min(STEPS, most)
    found: dict[str, Callable[[], Any]] = {
        "machine": description,
        "adam": lambda: ADAM,
        "ladder": lambda: ladder(names, engines, most),
        "growth": lambda: by_size(growth(names, engines, steps=steps)),
        "variants": lambda: on_device(names, "cpu", VARIANT_SETTINGS, steps),
        "memory": lambda: memory(list(engines)),
        "roofline": roofline,
        "pythons": lambda: pythons(interpreters, min(PYTHON_STEPS, most)),
        "phases": lambda: {
            name: round(share, 4) for name, share in profile.phases().items()
        },
        "collector": lambda: {
            name: digits(profile.collector(name), 3) for name in ("dot", "value")
        },
        "arithmetic": lambda: digits(profile.arithmetic(), 2),
    }
    if name := gpu():
        found["gpu"] = lambda: {
            "name": name,
            "variants": on_device(names, "cuda", VARIANT_SETTINGS, steps),
        }
    return found


def measure_quickly() -> dict[str, Any]:
    """Measure a little of everything that takes no long: to see that it can be done."""
    names, engines = load_names(), available()
    found: dict[str, Any] = {"machine": description()}
    found["ladder"] = ladder(names, engines, 2, warm_up=1)
    show_ladder(found["ladder"])
    found["growth"] = by_size(growth(names, engines, QUICK, 1))
    found["roofline"] = roofline(1, 64, 1000)
    show_roofline(found["roofline"])
    return found


def by_size(found: Sequence[Measured]) -> dict[str, list[Measured]]:
    """Return, for each size that grew, the settings in which nothing else did."""
    base: dict[str, Any] = {**found[0]}
    return {
        size: [
            one
            for one in found
            if all(one[other] == base[other] for other in SIZES if other != size)  # type: ignore[literal-required]
        ]
        for size in SIZES
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pythons", nargs="*", default=[sys.executable], help="interpreters to compare"
    )
    parser.add_argument("--out", type=Path, default=RECORD)
    parser.add_argument("--steps", type=positive, default=50, help="on the ladder")
    parser.add_argument(
        "--only", nargs="*", help="parts to measure anew; the others stay"
    )
    parser.add_argument("--quick", action="store_true", help="a little of it")
    arguments = parser.parse_args()

    print(machine())
    out: Path = arguments.out
    if arguments.quick:
        found = measure_quickly()
    else:
        found = json.loads(out.read_text("utf-8")) if arguments.only else {}
        for name, measure in parts(arguments.pythons, arguments.steps).items():
            if name in (arguments.only or (name,)):
                print(f"\n{name}")
                found[name] = measure()
                if name in SHOWN:
                    SHOWN[name](found[name])
    out.write_text(f"{json.dumps(found, indent=1)}\n", encoding="utf-8")
    if out == RECORD:
        from snippets.records.record import note_digests

        note_digests()


if __name__ == "__main__":
    main()
