"""How much faster each engine is than a textbook's.

All train on the same names from the same seed on one core, one step of each in turn, so
that a busy machine slows them alike; the losses must agree to 1e-9. A step of a fast
engine is repeated until a clock can tell how long it takes, and the mean counts.
"""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from bench import textbook
from bench.machine import evaluate_in_subprocess
from bench.timing import median_ratio, round_significant, summarize, time_in_turns
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.engines import ENGINE_NAMES, load_engine
from microgpt.engines.protocol import EngineFactory

TEXTBOOK = "textbook"
BATCH_SIZE = 32
FAST_ENGINES = ("numpy", "torch", "c")
PURE_PYTHON_ENGINES = ("value", "dot", "lists")
ROUNDS, STEPS_PER_ROUND = 8, 6  # in each interpreter
WARM_UP_STEPS = 2
WIDTHS = (16, 128)
# What the record calls the loops of a product of matrices, and variants.c does
PRODUCT_LOOPS = {
    "tile": "tiles",
    "one number at a time": "single",
    "row by row": "rows",
}


def load_available_engines(
    names: Sequence[str] = ENGINE_NAMES,
) -> dict[str, EngineFactory]:
    """Return the engines that can be loaded here; print what the others need."""
    engines: dict[str, EngineFactory] = {}
    for name in names:
        try:
            engines[name] = textbook.Engine if name == TEXTBOOK else load_engine(name)
        except (ValueError, OSError) as error:
            print(error, file=sys.stderr)
    return engines


def compare_engines(
    names: Sequence[str], engines: dict[str, EngineFactory], steps: int
) -> dict[str, Any]:
    """Time the steps of the textbook's engine and of all others, in turn.

    The fast ones also train in batches of BATCH_SIZE names. Their times are then for one
    name, and their losses, which are those of other names, are not compared.
    """
    config = Config(Tokenizer(names).vocab_size)
    run = partial(Run, names, config, steps + WARM_UP_STEPS)
    single_runs = {
        name: run(engine=engine)
        for name, engine in (load_available_engines([TEXTBOOK]) | engines).items()
    }
    batch_runs = {
        name: run(engine=engine, batch_size=BATCH_SIZE)
        for name, engine in batch_engines(engines).items()
    }
    runs = single_runs | {f"{name} in batches": r for name, r in batch_runs.items()}
    times, max_gap = time_in_turns(runs, steps, WARM_UP_STEPS, agreeing=single_runs)
    results = {
        name: summarize(seconds)
        | {
            "each": [round_significant(1000 * each) for each in seconds],
            "times_faster": round_significant(median_ratio(times[TEXTBOOK], seconds)),
        }
        for name, seconds in times.items()
    }
    return {
        "steps": steps,
        "gap": round_significant(max_gap, 2),
        "engines": {name: results[name] for name in single_runs},
        "batches": {name: results[f"{name} in batches"] for name in batch_runs},
    }


def batch_engines(engines: dict[str, EngineFactory]) -> dict[str, EngineFactory]:
    """Return the engines that gain from a batch, and C in float32."""
    fast = {name: engines[name] for name in FAST_ENGINES if name in engines}
    if "c" in fast:
        c_engine: Any = load_engine("c")
        fast["c, float32"] = partial(c_engine, precision="float32")
    return fast


def time_pure_python_engines(steps: int) -> Any:
    """Return the times of the engines in pure Python, in this interpreter."""
    engines = load_available_engines(PURE_PYTHON_ENGINES)
    return compare_engines(load_names(), engines, steps)["engines"]


def compare_python_versions(
    interpreters: Sequence[str], max_steps: int
) -> dict[str, Any]:
    """Return the times of the engines in pure Python, by version of Python.

    The interpreters take turns, a few steps each time.
    """
    versions = {
        path: evaluate_in_subprocess("platform", "module.python_version()", path)
        for path in interpreters
    }
    steps = min(STEPS_PER_ROUND, max_steps)
    expression = f"module.time_pure_python_engines({steps})"
    times: dict[str, dict[str, list[float]]] = {v: {} for v in versions.values()}
    for _ in range(ROUNDS):
        for path, version in versions.items():
            results = evaluate_in_subprocess("bench.engines", expression, path)
            for name, result in results.items():
                times[version].setdefault(name, []).extend(result["each"])
    return {
        version: {
            name: summarize([ms / 1000 for ms in each])
            for name, each in engines.items()
        }
        for version, engines in times.items()
    }


def compare_product_loops(
    names: Sequence[str], steps: int
) -> dict[str, dict[str, float]]:
    """Return what a tile is worth: the C engine with plainer loops for its products.

    The numbers say how many times as fast as NumPy each is, by width of the model.
    """
    from microgpt.engines import variant  # which needs a C compiler

    engines = load_available_engines(["numpy"])
    for name, loops in PRODUCT_LOOPS.items():
        engines[name] = partial(variant.Engine, parts={"product": loops})
    speeds = {}
    for width in WIDTHS:
        config = Config(Tokenizer(names).vocab_size, n_embd=width)
        run = partial(Run, names, config, steps + WARM_UP_STEPS)
        runs = {name: run(engine=engine) for name, engine in engines.items()}
        times, _ = time_in_turns(runs, steps, WARM_UP_STEPS, runs)
        speeds[str(width)] = {
            name: round_significant(median_ratio(times["numpy"], seconds), 3)
            for name, seconds in times.items()
        }
    return speeds
