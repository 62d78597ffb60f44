"""How each engine grows with the model and the batch: `python -m bench.growth`.

From one setting, each size grows while the others stay. All documents fill the context.
At each setting the engines take the same steps in turn, on one core. An engine is left
out where one step of it would take longer than a few seconds.
"""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypedDict

from bench.engines import available
from bench.flops import step_bytes, step_flops
from bench.machine import machine
from bench.timing import Timed, race, summary, timed_step
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.cli.parser import positive
from microgpt.engines.protocol import EngineType

LONGEST = 3.0  # seconds that a step may take
SLOWEST = 1e-6  # seconds per FLOP, more than any engine takes
STEPS = 7


@dataclass(frozen=True)
class Setting:
    """The sizes of a model, and how many documents are learnt from in each step."""

    layers: int = 1
    width: int = 16
    context: int = 16
    batch: int = 1

    def config(self, vocab_size: int) -> Config:
        return Config(
            vocab_size, n_layer=self.layers, n_embd=self.width, block_size=self.context
        )


SIZES = {
    "layers": (2, 4, 8),
    "width": (32, 64, 128, 256),
    "context": (32, 64, 128, 256),
    "batch": (8, 64, 512),
}
SETTINGS = [
    Setting(),
    *(replace(Setting(), **{key: n}) for key, sizes in SIZES.items() for n in sizes),
]
QUICK = [Setting(), Setting(width=32), Setting(batch=2)]


class Measured(TypedDict):
    """A setting, what its step takes to compute and to move, and the engines' times."""

    layers: int
    width: int
    context: int
    batch: int
    parameters: int
    tokens: int
    flops: int
    bytes: int
    engines: dict[str, Timed]


def long_documents(names: Sequence[str], least: int) -> list[str]:
    """Join names, one after another, until each document is long enough."""
    documents = []
    text = ""
    for name in names:
        text += name
        if len(text) >= least:
            documents.append(text)
            text = ""
    return documents


def growth(
    names: Sequence[str],
    engines: dict[str, EngineType],
    settings: Iterable[Setting] = SETTINGS,
    steps: int = STEPS,
    *,
    exact: bool = True,
) -> list[Measured]:
    """Time the engines at each setting; if `exact`, their losses must agree."""
    pace = dict.fromkeys(engines, SLOWEST)
    found = []
    for setting in settings:
        found.append(measured(names, engines, setting, steps, pace, exact=exact))
        show(found[-1])
    return found


def measured(
    names: Sequence[str],
    engines: dict[str, EngineType],
    setting: Setting,
    steps: int,
    pace: dict[str, float],
    *,
    exact: bool,
) -> Measured:
    """Time the engines at one setting; `pace` knows what a FLOP took them before."""
    documents = long_documents(names, setting.context)
    config = setting.config(Tokenizer(documents).vocab_size)
    computes = step_flops(config, setting.context, setting.batch)
    runs = {
        name: Run(documents, config, steps + 1, batch_size=setting.batch, engine=engine)
        for name, engine in engines.items()
        if pace[name] * computes < LONGEST
    }
    steppers = {name: partial(timed_step, run) for name, run in runs.items()}
    times, _ = race(steppers, steps, 1, None if exact else ())
    found = {name: summary(taken) for name, taken in times.items()}
    for name, one in found.items():
        pace[name] = min(pace[name], one["ms"] / 1000 / computes)
    return Measured(
        layers=setting.layers,
        width=setting.width,
        context=setting.context,
        batch=setting.batch,
        parameters=config.num_parameters,
        tokens=setting.batch * setting.context,
        flops=computes,
        bytes=step_bytes(config, setting.context, setting.batch),
        engines=found,
    )


def show(one: Measured) -> None:
    """Print a setting, and a row for each engine."""
    print(
        f"layers {one['layers']}, width {one['width']}, context {one['context']}, "
        f"batch {one['batch']}: {one['flops']:,} FLOPs per step"
    )
    for name, time in one["engines"].items():
        seconds = time["ms"] / 1000
        print(
            f"  {name:8} {time['ms']:10.3f} ms per step "
            f"{one['tokens'] / seconds:12,.0f} tokens/s "
            f"{one['flops'] / seconds / 1e9:9.4f} GFLOP/s"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file of names, one per line")
    parser.add_argument("--steps", type=positive, default=STEPS)
    arguments = parser.parse_args()

    print(machine())
    growth(load_names(arguments.docs), available(), steps=arguments.steps)


if __name__ == "__main__":
    main()
