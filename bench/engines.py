"""How much faster each engine is than a textbook's.

All engines train on the same names from the same seed on one core. They take turns,
step by step, so that a busy machine slows all alike; their losses must agree to 1e-9. A
short step is repeated until a clock can measure it, and the mean counts.
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
WARM_UP_STEPS = 2


def load_available_engines(
    engine_names: Sequence[str] = ENGINE_NAMES,
) -> dict[str, EngineFactory]:
    """Return the engines that can be loaded here; print what the others need."""
    engines: dict[str, EngineFactory] = {}
    for name in engine_names:
        try:
            engines[name] = textbook.Engine if name == TEXTBOOK else load_engine(name)
        except (ValueError, OSError) as error:
            print(error, file=sys.stderr)
    return engines


def compare_engines(
    names: Sequence[str], engines: dict[str, EngineFactory], steps: int
) -> dict[str, Any]:
    """Time the steps of the textbook's engine and of all others, in turn.

    The fast engines also train in batches of BATCH_SIZE names. Those times are per
    name; those losses are of other names, so they are not compared.
    """
    config = Config(Tokenizer(names).vocab_size)
    run = partial(Run, names, config, steps + WARM_UP_STEPS)
    single_runs = {
        name: run(engine=engine)
        for name, engine in {TEXTBOOK: textbook.Engine, **engines}.items()
    }
    batch_runs = {
        name: run(engine=engine, batch_size=BATCH_SIZE)
        for name, engine in batch_engines(engines).items()
    }
    runs = single_runs | {f"{name} in batches": r for name, r in batch_runs.items()}
    times, max_gap = time_in_turns(runs, steps, WARM_UP_STEPS, must_agree=single_runs)
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
    """Return the engines that are faster in batches, and C in float32."""
    names: Sequence[str] = ("numpy", "torch", "c")
    fast = {name: engines[name] for name in names if name in engines}
    if "c" in fast:
        c_engine: Any = load_engine("c")
        fast["c, float32"] = partial(c_engine, precision="float32")
    return fast


def time_pure_python_engines(steps: int) -> Any:
    """Time the engines in pure Python with this interpreter."""
    engines = load_available_engines(["value", "dot", "lists"])
    return compare_engines(load_names(), engines, steps)["engines"]


def compare_python_versions(
    interpreters: Sequence[str], max_steps: int
) -> dict[str, Any]:
    """Time the engines in pure Python with each interpreter, by its version.

    The interpreters take turns eight times, each with at most six steps of an engine.
    """
    versions = {
        path: evaluate_in_subprocess("platform", "module.python_version()", path)
        for path in interpreters
    }
    expression = f"module.time_pure_python_engines({min(6, max_steps)})"
    times: dict[str, dict[str, list[float]]] = {v: {} for v in versions.values()}
    for _ in range(8):
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
    """Compare matrix product loops of the C engine: over tiles, and plainer ones.

    Returns:
        How many times as fast as NumPy a step is, by width of the model, then by loop.
    """
    from microgpt.engines import variant  # which needs a C compiler

    loops = {"tile": "tiles", "one number at a time": "single", "row by row": "rows"}
    engines = load_available_engines(["numpy"])
    for name, product in loops.items():
        engines[name] = partial(variant.Engine, parts={"product": product})
    speeds = {}
    for width in (16, 128):
        config = Config(Tokenizer(names).vocab_size, n_embd=width)
        run = partial(Run, names, config, steps + WARM_UP_STEPS)
        runs = {name: run(engine=engine) for name, engine in engines.items()}
        times, _ = time_in_turns(runs, steps, WARM_UP_STEPS, runs)
        speeds[str(width)] = {
            name: round_significant(median_ratio(times["numpy"], seconds), 3)
            for name, seconds in times.items()
        }
    return speeds
