"""How each engine grows with the model and the batch, and what precision changes.

From one setting, each size grows while the others stay. All documents fill the context.
At each setting the engines take the same steps in turn, on one core. An engine is left
out where one step of it would take longer than a few seconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from bench.engines import available
from bench.flops import step_bytes, step_flops
from bench.timing import race, summary
from microgpt import Config, Run, Tokenizer
from microgpt.engines.protocol import EngineFactory

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
VARIANTS = [
    *(Setting(batch=batch) for batch in (1, 8, 64, 512)),
    *(Setting(width=128, context=64, batch=batch) for batch in (1, 8, 64)),
]
PRECISIONS = ("float64", "float32", "bfloat16")


Measured = dict[str, Any]  # a setting, what a step takes, and the engines' times


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
    engines: dict[str, EngineFactory],
    settings: Iterable[Setting],
    steps: int,
    *,
    exact: bool = True,
) -> list[Measured]:
    """Time the engines at each setting; if `exact`, their losses must agree."""
    pace = dict.fromkeys(engines, SLOWEST)  # what a FLOP took them at most so far
    found = []
    for setting in settings:
        documents = long_documents(names, setting.context)
        config = setting.config(Tokenizer(documents).vocab_size)
        size = setting.batch
        computes = step_flops(config, setting.context, size)
        runs = {
            name: Run(documents, config, steps + 1, batch_size=size, engine=engine)
            for name, engine in engines.items()
            if pace[name] * computes < LONGEST
        }
        times, _ = race(runs, steps, 1, runs if exact else ())
        taken = {
            name: summary([size * seconds for seconds in each])
            for name, each in times.items()
        }
        for name, one in taken.items():
            pace[name] = min(pace[name], one["ms"] / 1000 / computes)
        found.append(
            asdict(setting)
            | {
                "parameters": config.num_parameters,
                "tokens": size * setting.context,
                "flops": computes,
                "bytes": step_bytes(config, setting.context, size),
                "engines": taken,
            }
        )
    return found


def grown(size: str) -> list[Setting]:
    """Return the settings in which one size grows."""
    return [Setting(), *(replace(Setting(), **{size: n}) for n in SIZES[size])]


def on_device(names: Sequence[str], device: str, steps: int) -> list[Measured]:
    """Time NumPy and PyTorch with batches, PyTorch in three precisions, and compiled.

    Only float64 must give the losses of the others.
    """
    found = dict(available(["numpy"])) if device == "cpu" else {}
    torch: Any = available(["torch"]).get("torch")
    for how in ("", " compiled") if torch else ():
        for precision in PRECISIONS:
            found[f"torch {precision}{how}"] = partial(
                torch, device=device, precision=precision, compiled=bool(how)
            )
    return growth(names, found, VARIANTS, steps, exact=False)
