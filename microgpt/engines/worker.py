"""Which of several processes this is, as torchrun says it."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Worker:
    """One of `count` processes that train one model, or the only one.

    `local_rank` counts those on its own machine.
    """

    rank: int = 0
    count: int = 1
    local_rank: int = 0


def this_worker() -> Worker:
    """Read what torchrun tells each process that it starts."""
    names = ("RANK", "WORLD_SIZE", "LOCAL_RANK")
    told = [os.environ.get(name, "") for name in names]
    if not all(number.isdecimal() for number in told):
        return Worker()
    return Worker(*map(int, told))
