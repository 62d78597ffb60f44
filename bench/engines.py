"""How much faster each engine is than a textbook.

All train on the same names from the same seed on one core, one step of each in turn, so
that a busy machine slows them alike; the losses must agree to 1e-9. A step of a fast
engine is repeated until a clock can tell how long it takes, and the mean counts.
"""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from bench import textbook
from bench.machine import elsewhere
from bench.timing import digits, race, ratio, summary
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.engines import ENGINES, load_engine
from microgpt.engines.protocol import EngineFactory

TEXTBOOK = "textbook"
BATCH = 32
FAST = ("numpy", "torch", "c")
PURE = ("value", "dot", "lists")
ROUNDS, SHORT = 8, 6  # of other interpreters, and the steps of a round
WARM_UP = 2
WIDTHS = (16, 128)
LOOPS = {"tile": "tiles", "one number at a time": "single", "row by row": "rows"}


def available(names: Sequence[str] = ENGINES) -> dict[str, EngineFactory]:
    """Return the engines that can be loaded here; say what the others need."""
    engines: dict[str, EngineFactory] = {}
    for name in names:
        try:
            engines[name] = textbook.Engine if name == TEXTBOOK else load_engine(name)
        except (ValueError, OSError) as error:
            print(error, file=sys.stderr)
    return engines


def ladder(
    names: Sequence[str], engines: dict[str, EngineFactory], steps: int
) -> dict[str, Any]:
    """Time the steps of a textbook and of all engines, in turn; batches beside them.

    The fast ones take BATCH names in a step; their times are for one name, and their
    losses, which are other names', are not compared.
    """
    run = partial(Run, names, Config(Tokenizer(names).vocab_size), steps + WARM_UP)
    singly = {
        name: run(engine=engine)
        for name, engine in (available([TEXTBOOK]) | engines).items()
    }
    in_batches = {
        name: run(engine=engine, batch_size=BATCH)
        for name, engine in fast(engines).items()
    }
    runs = singly | {f"{name} in batches": one for name, one in in_batches.items()}
    times, gap = race(runs, steps, WARM_UP, agreeing=singly)
    rungs = {
        name: summary(taken)
        | {
            "each": [digits(1000 * seconds) for seconds in taken],
            "times_faster": digits(ratio(times[TEXTBOOK], taken)),
        }
        for name, taken in times.items()
    }
    return {
        "steps": steps,
        "gap": digits(gap, 2),
        "engines": {name: rungs[name] for name in singly},
        "batches": {name: rungs[f"{name} in batches"] for name in in_batches},
    }


def fast(engines: dict[str, EngineFactory]) -> dict[str, EngineFactory]:
    """Return the engines that a batch helps, and C with half the digits."""
    found = {name: engines[name] for name in FAST if name in engines}
    if "c" in found:
        single: Any = load_engine("c")
        found["c, float32"] = partial(single, precision="float32")
    return found


def pure(steps: int) -> Any:
    """Return the times in this interpreter."""
    return ladder(load_names(), available(PURE), steps)["engines"]


def pythons(interpreters: Sequence[str], most: int) -> dict[str, Any]:
    """Return the times of the textbook and of each engine, by version of Python.

    Interpreters run those that are pure Python, in turn, a few steps each time.
    """
    versions = {
        path: elsewhere("platform", "here.python_version()", path)
        for path in interpreters
    }
    each: dict[str, dict[str, list[float]]] = {v: {} for v in versions.values()}
    for _ in range(ROUNDS):
        for path, version in versions.items():
            found = elsewhere("bench.engines", f"here.pure({min(SHORT, most)})", path)
            for name, rung in found.items():
                each[version].setdefault(name, []).extend(rung["each"])
    return {
        version: {
            name: summary([ms / 1000 for ms in times])
            for name, times in engines.items()
        }
        for version, engines in each.items()
    }


def kernels(names: Sequence[str], steps: int) -> dict[str, dict[str, float]]:
    """Return what a tile is worth: the C engine with plainer loops for its products.

    The numbers say how many times as fast as NumPy each is, by width.
    """
    from microgpt.engines import variant  # which needs a C compiler

    engines = available(["numpy"])
    for name, loops in LOOPS.items():
        engines[name] = partial(variant.Engine, parts={"product": loops})
    found = {}
    for width in WIDTHS:
        config = Config(Tokenizer(names).vocab_size, n_embd=width)
        run = partial(Run, names, config, steps + WARM_UP)
        runs = {name: run(engine=engine) for name, engine in engines.items()}
        times, _ = race(runs, steps, WARM_UP, runs)
        found[str(width)] = {
            name: digits(ratio(times["numpy"], taken), 3)
            for name, taken in times.items()
        }
    return found
