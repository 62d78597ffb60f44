"""Measure the package's speed and memory: `python -m bench PART …`.

The parts are the keys of `docs/data/speeds.json`; without one, all are measured. Close
other programs before you record: they slow down what is measured.
"""

import argparse
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import engines, machine, profile, scaling
from bench.flops import ADAM_FLOPS
from bench.memory import measure_memory
from bench.roofline import measure_roofline
from bench.timing import round_significant
from microgpt import load_names
from microgpt.cli.values import parse_positive_integer


def measurement_functions(
    interpreters: Sequence[str], max_steps: int
) -> dict[str, Callable[[], Any]]:
    """Map each part of the record to the function that measures it.

    Args:
        interpreters: Paths of the Pythons to compare.
        max_steps: The most steps of an engine to time.
    """
    names, available = load_names(), engines.load_available_engines()
    steps = min(scaling.MAX_STEPS, max_steps)
    measures: dict[str, Callable[[], Any]] = {
        "machine": machine.describe_machine,
        "adam": lambda: ADAM_FLOPS,
        "ladder": lambda: engines.compare_engines(names, available, max_steps),
        "growth": lambda: scaling.compare_growth(names, available, steps),
        "precisions": lambda: scaling.compare_precisions(names, "cpu", steps),
        "memory": lambda: measure_memory(list(available)),
        "roofline": measure_roofline,
        "pythons": lambda: engines.compare_python_versions(interpreters, max_steps),
        "phases": lambda: {
            name: round(share, 4)
            for name, share in profile.measure_phase_shares().items()
        },
        "collector": profile.measure_collector_costs,
        "arithmetic": lambda: round_significant(profile.measure_arithmetic_share(), 2),
    }
    if "c" in available:
        measures["kernels"] = lambda: engines.compare_product_loops(names, max_steps)
    if "torch" in available:
        from torch import cuda

        if cuda.is_available():
            measures["gpu"] = lambda: {
                "name": cuda.get_device_name(),
                "precisions": scaling.compare_precisions(names, "cuda", steps),
            }
    return measures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="what to measure (default: all)")
    parser.add_argument(
        "--pythons",
        nargs="*",
        default=[sys.executable],
        help="paths of the Pythons to compare (default: this one)",
    )
    parser.add_argument(
        "--steps",
        type=parse_positive_integer,
        default=50,
        help="the most training steps to time (default: 50)",
    )
    parser.add_argument(
        "--out", type=Path, help="JSON file to update; parts not measured stay"
    )
    arguments = parser.parse_args()

    measures = measurement_functions(arguments.pythons, arguments.steps)
    if missing := [name for name in arguments.parts if name not in measures]:
        parser.error(
            f"expected parts of {', '.join(measures)} on this machine, got {missing[0]}"
        )
    if arguments.out:
        try:
            machine.load_record(arguments.out)
        except (OSError, TypeError, ValueError) as error:
            parser.error(f"--out {arguments.out} is not a record: {error}")
    print(f"Python {platform.python_version()}, {machine.processor_name()}")
    results = {}
    for name in arguments.parts or measures:
        results[name] = measures[name]()
        print(f"{name}: {machine.format_json(results[name])}", flush=True)
    if out := arguments.out:
        # Load it anew: another measurement may have been recorded meanwhile.
        machine.write_record(out, machine.load_record(out) | results)


if __name__ == "__main__":
    main()
