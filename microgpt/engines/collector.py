"""The garbage collector, paused while a graph is alive."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep Python from looking for cycles: `Value`s form none.

    Its collector would visit all nodes again and again, and free none.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
