"""How much memory each engine takes for a step at most: `python -m bench.peak_memory`.

Each engine runs in a process of its own. What the same process takes that only imports
the engine and reads the names is taken off.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypedDict

from bench.engines import TEXTBOOK, available
from bench.growth import Setting, long_documents
from bench.machine import machine
from bench.textbook import Textbook
from microgpt import Run, Tokenizer, load_names

ROOT = Path(__file__).parents[1]
SETTINGS = [Setting(), Setting(width=64, context=64)]
STEPS = 2


class Memory(TypedDict):
    """A setting, and the megabytes that each engine takes beside what importing takes."""

    setting: dict[str, int]
    parameters: int
    engines: dict[str, float]
    imports: dict[str, float]


def peak() -> float:
    """Return the most megabytes that this process has held at a time."""
    status = Path("/proc/self/status")
    if status.exists():  # elsewhere it may count the process that started this one
        for line in status.read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024 / 1e6
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def child(engine: str, setting: Setting, steps: int) -> float:
    """Take steps, or none, and return the peak of this process."""
    documents = long_documents(load_names(), setting.context)
    if engine == TEXTBOOK:
        if steps:
            list(Textbook(documents, steps).train())
        return peak()
    loaded = available([engine])[engine]
    if steps:
        config = setting.config(Tokenizer(documents).vocab_size)
        list(Run(documents, config, steps, engine=loaded).train())
    return peak()


def asked(engine: str, setting: Setting, steps: int) -> float:
    """Let a process of its own measure."""
    question = json.dumps([engine, asdict(setting), steps])
    done = subprocess.run(
        [sys.executable, "-m", "bench.peak_memory", question],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def memory(
    engines: Sequence[str], settings: Sequence[Setting] = SETTINGS
) -> list[Memory]:
    found = []
    for setting in settings:
        # The textbook knows one model.
        names = [TEXTBOOK, *engines] if setting == Setting() else [*engines]
        imports = {name: asked(name, setting, 0) for name in names}
        peaks = {name: asked(name, setting, STEPS) for name in names}
        vocab_size = Tokenizer(load_names()).vocab_size
        found.append(
            Memory(
                setting=asdict(setting),
                parameters=setting.config(vocab_size).num_parameters,
                engines={name: round(peaks[name] - imports[name], 2) for name in names},
                imports={name: round(size, 1) for name, size in imports.items()},
            )
        )
        show(found[-1])
    return found


def show(one: Memory) -> None:
    """Print what the engines take at a setting."""
    print(", ".join(f"{key} {size}" for key, size in one["setting"].items()))
    for name, size in one["engines"].items():
        print(
            f"  {name:8} {size:9.2f} MB for its steps "
            f"({one['imports'][name]:.0f} MB for imports)"
        )


def main(arguments: Sequence[str]) -> None:
    if arguments:
        question: tuple[str, dict[str, Any], int] = json.loads(arguments[0])
        engine, sizes, steps = question
        print(child(engine, Setting(**sizes), steps))
        return
    print(machine())
    memory(list(available()))


if __name__ == "__main__":
    main(sys.argv[1:])
