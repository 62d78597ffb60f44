"""What Python's version changes: interpreters run the engines that are pure Python, in turn."""

from collections.abc import Sequence
from typing import Any

from bench.engines import available, ladder
from bench.machine import elsewhere
from bench.timing import summary
from microgpt import load_names

PURE = ("value", "dot", "lists")
STEPS, ROUNDS = 6, 8


def pure(steps: int) -> Any:
    """Return the times in this interpreter."""
    return ladder(load_names(), available(PURE), steps)["engines"]


def pythons(interpreters: Sequence[str], most: int) -> dict[str, Any]:
    """Return the times of the textbook and of each engine, by version of Python."""
    versions = {
        path: elsewhere("platform", "here.python_version()", path)
        for path in interpreters
    }
    each: dict[str, dict[str, list[float]]] = {v: {} for v in versions.values()}
    for _ in range(ROUNDS):
        for path, version in versions.items():
            found = elsewhere("bench.pythons", f"here.pure({min(STEPS, most)})", path)
            for name, rung in found.items():
                each[version].setdefault(name, []).extend(rung["each"])
    return {
        version: {
            name: summary([ms / 1000 for ms in times])
            for name, times in engines.items()
        }
        for version, engines in each.items()
    }
