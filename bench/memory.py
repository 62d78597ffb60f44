"""How much memory a node takes, with `__slots__` and without: `python -m bench.memory`.

Both classes run the same code; the second one is made from the source of the first.
"""

from __future__ import annotations

import gc
import inspect
import tracemalloc
from collections.abc import Callable
from functools import partial

from bench.machine import machine
from microgpt import autograd

NODES = 100_000


def without_slots() -> type[autograd.Value]:
    """Return the class as it would be if its line on slots were left out."""
    lines = inspect.getsource(autograd).splitlines(keepends=True)
    kept = [line for line in lines if "__slots__" not in line]
    assert len(kept) == len(lines) - 1
    namespace = {"__name__": "without_slots"}
    exec("".join(kept), namespace)  # noqa: S102 (our own source, less one line)
    value: type[autograd.Value] = namespace["Value"]  # type: ignore[assignment]
    return value


def traced(build: Callable[[], object]) -> float:
    """Return how many bytes per node are in use while what was built is kept."""
    gc.collect()
    tracemalloc.start()
    kept = build()
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return used / NODES


def products(value: type[autograd.Value]) -> autograd.Value:
    """Build a chain of products that all have data, gradients and children."""
    node = factor = value(1.000001)
    for _ in range(NODES):
        node = node * factor
    node.backward()
    return node


def leaves(value: type[autograd.Value]) -> list[autograd.Value]:
    """Build nodes that share all that their attributes hold."""
    return [value(1.0) for _ in range(NODES)]


def main() -> None:
    slots, slotless = autograd.Value, without_slots()
    print(f"{machine()}, bytes per node, {NODES:,} nodes")
    print(f"{'':34} {'slots':>6} {'none':>6} {'ratio':>6}")
    for build, text in (
        (leaves, "the object, and its place in a list"),
        (products, "a product, with tuples and floats"),
    ):
        ours = traced(partial(build, slots))
        theirs = traced(partial(build, slotless))
        print(f"{text:35} {ours:5.0f} {theirs:6.0f} {theirs / ours:6.2f}")


if __name__ == "__main__":
    main()
