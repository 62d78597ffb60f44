"""How much memory each engine takes for a step at most.

Each engine runs in a process of its own. What the same process takes that only imports
the engine and reads the names is taken off. It is read from /proc, on Linux alone.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.engines import TEXTBOOK, available
from bench.growth import Setting, long_documents
from bench.machine import elsewhere
from microgpt import Run, Tokenizer, load_names

SETTINGS = [Setting(), Setting(width=64, context=64)]
STEPS = 2


def peak(engine: str, setting: Setting, steps: int) -> float:
    """Take steps, or none; return the most megabytes that this process has held."""
    documents = long_documents(load_names(), setting.context)
    loaded = available([engine])[engine]
    if steps:
        config = setting.config(Tokenizer(documents).vocab_size)
        list(Run(documents, config, steps, engine=loaded).train())
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    (line,) = (line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def memory(engines: Sequence[str]) -> list[dict[str, Any]]:
    """Return the megabytes that each engine takes at each setting, and that importing it takes.

    In a textbook's graph, a larger model would take gigabytes.
    """
    found = []
    vocab_size = Tokenizer(load_names()).vocab_size
    for setting in SETTINGS:
        names = [TEXTBOOK, *engines] if setting == Setting() else engines
        imports, peaks = (
            {
                name: elsewhere(
                    "bench.memory", f"here.peak({name!r}, here.{setting}, {n})"
                )
                for name in names
            }
            for n in (0, STEPS)
        )
        found.append(
            {
                "setting": asdict(setting),
                "parameters": setting.config(vocab_size).num_parameters,
                "engines": {n: round(peaks[n] - imports[n], 2) for n in names},
                "imports": {n: round(size, 1) for n, size in imports.items()},
            }
        )
    return found
