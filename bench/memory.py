"""The peak memory of a training step in each engine.

Each engine runs in a process of its own. The memory of a process that only imports the
engine and reads the names is subtracted. Both are read from /proc, on Linux only.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.engines import TEXTBOOK, load_available_engines
from bench.machine import evaluate_in_subprocess
from bench.scaling import Sizes, join_names
from microgpt import Run, Tokenizer, load_names


def peak_megabytes(engine_name: str, sizes: Sizes, steps: int) -> float:
    """Train for some steps, maybe 0; return the peak memory of this process."""
    documents = join_names(load_names(), sizes.context)
    engine = load_available_engines([engine_name])[engine_name]
    if steps:
        config = sizes.config(Tokenizer(documents).vocab_size)
        list(Run(documents, config, steps, engine=engine).train())
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    (line,) = (line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def measure_memory(engines: Sequence[str]) -> list[dict[str, Any]]:
    """Return the megabytes that training takes in each engine, and those of its import.

    The textbook skips the larger model: its graph would take gigabytes.
    """
    results = []
    vocab_size = Tokenizer(load_names()).vocab_size
    for sizes in (Sizes(), Sizes(width=64, context=64)):
        names = [TEXTBOOK, *engines] if sizes == Sizes() else engines
        imports, peaks = (
            {
                name: evaluate_in_subprocess(
                    "bench.memory",
                    f"module.peak_megabytes({name!r}, module.{sizes}, {steps})",
                )
                for name in names
            }
            for steps in (0, 2)
        )
        results.append(
            {
                "setting": asdict(sizes),
                "parameters": sizes.config(vocab_size).num_parameters,
                "engines": {n: round(peaks[n] - imports[n], 2) for n in names},
                "imports": {n: round(size, 1) for n, size in imports.items()},
            }
        )
    return results
