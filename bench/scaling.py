"""How the time of each engine grows with the model and the batch, and with precision.

From one setting, each size grows while the others stay. All documents fill the context.
At each setting the engines take the same steps in turn, on one core. An engine is left
out where one step of it would take longer than a few seconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from bench.engines import load_available_engines
from bench.flops import step_bytes, step_flops
from bench.timing import summarize, time_in_turns
from microgpt import Config, Run, Tokenizer
from microgpt.engines.protocol import EngineFactory

MAX_STEP_SECONDS = 3.0
MAX_SECONDS_PER_FLOP = 1e-6  # no engine takes as long
MAX_STEPS = 7


@dataclass(frozen=True)
class Sizes:
    """A setting to time engines at: the sizes of a model and of a batch of documents."""

    layers: int = 1
    width: int = 16
    context: int = 16
    batch: int = 1

    def config(self, vocab_size: int) -> Config:
        return Config(
            vocab_size, n_layer=self.layers, n_embd=self.width, block_size=self.context
        )


SIZES_BY_DIMENSION: dict[str, tuple[int, ...]] = {
    "layers": (2, 4, 8),
    "width": (32, 64, 128, 256),
    "context": (32, 64, 128, 256),
    "batch": (8, 64, 512),
}
PRECISION_SETTINGS = [
    *(Sizes(batch=batch) for batch in (1, 8, 64, 512)),
    *(Sizes(width=128, context=64, batch=batch) for batch in (1, 8, 64)),
]
Measurement = dict[str, Any]  # a setting, what a step takes, and the engines' times


def join_names(names: Sequence[str], min_length: int) -> list[str]:
    """Join names, one after another, until each document is long enough."""
    documents = [""]
    for name in names:
        if len(documents[-1]) >= min_length:
            documents.append("")
        documents[-1] += name
    return documents if len(documents[-1]) >= min_length else documents[:-1]


def compare_settings(
    names: Sequence[str],
    engines: dict[str, EngineFactory],
    settings: Iterable[Sizes],
    steps: int,
    *,
    compare_losses: bool = True,
) -> list[Measurement]:
    """Time the engines at each setting; by default, their losses must agree."""
    # The least time that a FLOP has taken each engine so far
    seconds_per_flop = dict.fromkeys(engines, MAX_SECONDS_PER_FLOP)
    measurements = []
    for setting in settings:
        documents = join_names(names, setting.context)
        config = setting.config(Tokenizer(documents).vocab_size)
        size = setting.batch
        flops = step_flops(config, setting.context, size)
        runs = {
            name: Run(documents, config, steps + 1, batch_size=size, engine=engine)
            for name, engine in engines.items()
            if seconds_per_flop[name] * flops < MAX_STEP_SECONDS
        }
        times, _ = time_in_turns(runs, steps, 1, runs if compare_losses else ())
        summaries = {
            name: summarize([size * each for each in seconds])
            for name, seconds in times.items()
        }
        for name, summary in summaries.items():
            pace = summary["ms"] / 1000 / flops
            seconds_per_flop[name] = min(seconds_per_flop[name], pace)
        measurements.append(
            asdict(setting)
            | {
                "parameters": config.num_parameters,
                "tokens": size * setting.context,
                "flops": flops,
                "bytes": step_bytes(config, setting.context, size),
                "engines": summaries,
            }
        )
    return measurements


def compare_growth(
    names: Sequence[str], engines: dict[str, EngineFactory], steps: int
) -> dict[str, list[Measurement]]:
    """Time the engines while one dimension of the setting grows, by dimension."""
    return {
        dimension: compare_settings(
            names,
            engines,
            [Sizes(), *(replace(Sizes(), **{dimension: n}) for n in sizes)],
            steps,
        )
        for dimension, sizes in SIZES_BY_DIMENSION.items()
    }


def compare_precisions(
    names: Sequence[str], device: str, steps: int
) -> list[Measurement]:
    """Time PyTorch on a device in each precision, compiled and not; on "cpu", NumPy too.

    The losses of different precisions differ, so they are not compared.
    """
    engines = dict(load_available_engines(["numpy"])) if device == "cpu" else {}
    torch: Any = load_available_engines(["torch"]).get("torch")
    for suffix in ("", " compiled") if torch else ():
        for precision in ("float64", "float32", "bfloat16"):
            engines[f"torch {precision}{suffix}"] = partial(
                torch, device=device, precision=precision, compile=bool(suffix)
            )
    return compare_settings(
        names, engines, PRECISION_SETTINGS, steps, compare_losses=False
    )
