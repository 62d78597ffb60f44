"""Measure how fast the package is, and how much memory it takes: `python -m bench PART …`.

The parts are those of `docs/data/speeds.json`; without a name, all are measured. What else
runs on the machine is measured as well: give it a rest before you record.
"""

import argparse
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import profile
from bench.engines import available, kernels, ladder, pythons
from bench.flops import ADAM
from bench.growth import SIZES, STEPS, grown, growth, on_device
from bench.machine import description, known, layout, processor, write
from bench.memory import memory
from bench.roofline import roofline
from bench.timing import digits
from microgpt import load_names
from microgpt.cli.parser import positive


def parts(interpreters: Sequence[str], most: int) -> dict[str, Callable[[], Any]]:
    """Return how each part of the record is measured, with as many steps at most."""
    names, engines = load_names(), available()
    steps = min(STEPS, most)
    found: dict[str, Callable[[], Any]] = {
        "machine": description,
        "adam": lambda: ADAM,
        "ladder": lambda: ladder(names, engines, most),
        "growth": lambda: {
            size: growth(names, engines, grown(size), steps) for size in SIZES
        },
        "variants": lambda: on_device(names, "cpu", steps),
        "memory": lambda: memory(list(engines)),
        "roofline": roofline,
        "pythons": lambda: pythons(interpreters, most),
        "phases": lambda: {
            name: round(share, 4) for name, share in profile.phases().items()
        },
        "collector": lambda: {
            name: digits(profile.collector(name), 3) for name in ("dot", "value")
        },
        "arithmetic": lambda: digits(profile.arithmetic(), 2),
    }
    if "c" in engines:
        found["kernels"] = lambda: kernels(names, most)
    if "torch" in engines:
        from torch import cuda

        if cuda.is_available():
            found["gpu"] = lambda: {
                "name": cuda.get_device_name(),
                "variants": on_device(names, "cuda", steps),
            }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="what to measure")
    parser.add_argument(
        "--pythons", nargs="*", default=[sys.executable], help="interpreters to compare"
    )
    parser.add_argument("--steps", type=positive, default=50, help="at most")
    parser.add_argument("--out", type=Path, help="a record; its other parts stay")
    arguments = parser.parse_args()

    measures = parts(arguments.pythons, arguments.steps)
    if missing := [name for name in arguments.parts if name not in measures]:
        parser.error(f"there is no {missing[0]} here; choose of {', '.join(measures)}")
    if arguments.out:
        try:
            known(arguments.out)
        except (OSError, TypeError, ValueError) as error:
            parser.error(f"--out {arguments.out} is not a record: {error}")
    print(f"Python {platform.python_version()}, {processor()}")
    measured = {}
    for name in arguments.parts or measures:
        measured[name] = measures[name]()
        print(f"{name}: {layout(measured[name])}", flush=True)
    if out := arguments.out:
        # As it is now: another measurement may have been recorded meanwhile.
        write(out, known(out) | measured)


if __name__ == "__main__":
    main()
