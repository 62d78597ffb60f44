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
from bench.textbook import Textbook
from microgpt import Run, Tokenizer, load_names

SETTINGS = [Setting(), Setting(width=64, context=64)]
STEPS = 2


def peak(engine: str, setting: Setting, steps: int) -> float:
    """Take steps, or none; return the most megabytes that this process has held."""
    documents = long_documents(load_names(), setting.context)
    loaded = None if engine == TEXTBOOK else available([engine])[engine]
    if steps and loaded:
        config = setting.config(Tokenizer(documents).vocab_size)
        list(Run(documents, config, steps, engine=loaded).train())
    elif steps:
        list(Textbook(documents, steps).train())
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    (line,) = (line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def memory(engines: Sequence[str]) -> list[dict[str, Any]]:
    """Return the megabytes that each engine takes at each setting, and that importing it takes.

    The textbook knows one model.
    """
    found = []
    vocab_size = Tokenizer(load_names()).vocab_size
    for setting in SETTINGS:
        names = [TEXTBOOK, *engines] if setting == Setting() else engines
        imports, peaks = (
            {name: asked(name, setting, steps) for name in names}
            for steps in (0, STEPS)
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


def asked(engine: str, setting: Setting, steps: int) -> float:
    """Let a process of its own measure."""
    question = f"here.peak({engine!r}, here.{setting}, {steps})"
    found: float = elsewhere("bench.memory", question)
    return found
