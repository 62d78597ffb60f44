"""How the time of each engine grows with the model and the batch, and with precision.

One size grows while the others stay. All documents fill the context. At given sizes,
the engines take the same steps in turn, on one core. An engine is left out where a step
would take it longer than a few seconds.
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
MAX_SECONDS_PER_FLOP = 1e-6  # slower than any engine
MAX_STEPS = 7


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model and of a batch, at which engines are timed."""

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
PRECISION_SIZES = [
    *(Sizes(batch=batch) for batch in (1, 8, 64, 512)),
    *(Sizes(width=128, context=64, batch=batch) for batch in (1, 8, 64)),
]
Measurement = dict[str, Any]  # sizes, what a step computes and moves, engines' times


def join_names(names: Sequence[str], min_length: int) -> list[str]:
    """Join consecutive names into documents of at least `min_length` letters."""
    documents = [""]
    for name in names:
        if len(documents[-1]) >= min_length:
            documents.append("")
        documents[-1] += name
    return documents if len(documents[-1]) >= min_length else documents[:-1]


def compare_at_sizes(
    names: Sequence[str],
    engines: dict[str, EngineFactory],
    sizes_to_time: Iterable[Sizes],
    steps: int,
    *,
    compare_losses: bool = True,
) -> list[Measurement]:
    """Time the engines at the given sizes; by default, their losses must agree."""
    # The shortest time per FLOP of each engine so far
    seconds_per_flop = dict.fromkeys(engines, MAX_SECONDS_PER_FLOP)
    measurements = []
    for sizes in sizes_to_time:
        documents = join_names(names, sizes.context)
        config = sizes.config(Tokenizer(documents).vocab_size)
        batch_size = sizes.batch
        flops = step_flops(config, sizes.context, batch_size)
        runs = {
            name: Run(
                documents, config, steps + 1, batch_size=batch_size, engine=engine
            )
            for name, engine in engines.items()
            if seconds_per_flop[name] * flops < MAX_STEP_SECONDS
        }
        times, _ = time_in_turns(runs, steps, 1, runs if compare_losses else ())
        summaries = {
            name: summarize([batch_size * each for each in seconds])
            for name, seconds in times.items()
        }
        for name, summary in summaries.items():
            pace = summary["ms"] / 1000 / flops
            seconds_per_flop[name] = min(seconds_per_flop[name], pace)
        measurements.append(
            asdict(sizes)
            | {
                "parameters": config.num_parameters,
                "tokens": batch_size * sizes.context,
                "flops": flops,
                "bytes": step_bytes(config, sizes.context, batch_size),
                "engines": summaries,
            }
        )
    return measurements


def compare_growth(
    names: Sequence[str], engines: dict[str, EngineFactory], steps: int
) -> dict[str, list[Measurement]]:
    """Time the engines while one size grows; key the results by that size."""
    return {
        dimension: compare_at_sizes(
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
    return compare_at_sizes(
        names, engines, PRECISION_SIZES, steps, compare_losses=False
    )
