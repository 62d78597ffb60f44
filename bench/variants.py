"""NumPy and PyTorch with batches, as tokens per second: `python -m bench.variants`.

PyTorch in three precisions, as it is and compiled. Only float64 must give the losses
of the others. `--device cuda` measures PyTorch on a GPU, if there is one.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from bench.engines import available
from bench.growth import STEPS, Measured, Setting, growth
from bench.machine import gpu, machine
from microgpt import load_names
from microgpt.cli.parser import positive
from microgpt.engines.protocol import EngineType

BATCHES = (1, 8, 64, 512)
SETTINGS = [
    *(Setting(batch=batch) for batch in BATCHES),
    *(Setting(width=128, context=64, batch=batch) for batch in (1, 8, 64)),
]
PRECISIONS = ("float64", "float32", "bfloat16")


def variants(device: str = "cpu") -> dict[str, EngineType]:
    """Return the ways in which NumPy and PyTorch can compute here."""
    found = dict(available(["numpy"])) if device == "cpu" else {}
    if "torch" not in available(["torch"]):
        return found
    from microgpt.engines.torch import Engine

    engine: Any = Engine
    for how, options in (("", {}), (" compiled", {"compiled": True})):
        for precision in PRECISIONS:
            found[f"torch {precision}{how}"] = partial(
                engine, device=device, precision=precision, **options
            )
    return found


def on_device(
    names: Sequence[str], device: str, settings: Sequence[Setting], steps: int
) -> list[Measured]:
    return growth(names, variants(device), settings, steps, exact=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file of names, one per line")
    parser.add_argument("--steps", type=positive, default=STEPS)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    arguments = parser.parse_args()

    names, device = load_names(arguments.docs), arguments.device
    if device == "cuda" and (name := gpu()) is None:
        print("there is no GPU here")
        return
    print(machine(), *([name] if device == "cuda" else []), sep=", ")
    on_device(names, device, SETTINGS, arguments.steps)


if __name__ == "__main__":
    main()
