"""Signals such as Ctrl-C, deferred until a run can be saved."""

import signal
from types import FrameType
from typing import Self

# Windows closes no terminal with a signal
DEFERRED_SIGNALS = {"SIGINT", "SIGTERM", "SIGHUP"} & vars(signal).keys()


class DeferredSignals:
    """Defers SIGINT (Ctrl-C), SIGTERM and SIGHUP while a `with` block runs.

    `received` is the signal that came, or None: the block looks at it when a step is
    over, because in the middle of one a run cannot be saved. A second signal is
    not deferred, and a signal that the process ignores stays ignored.
    """

    def __init__(self) -> None:
        self.received: signal.Signals | None = None
        numbers = [signal.Signals[name] for name in DEFERRED_SIGNALS]
        self.previous_handlers = {n: signal.getsignal(n) for n in numbers}

    def __enter__(self) -> Self:
        for number, handler in self.previous_handlers.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self.handle_signal)
        return self

    def handle_signal(self, number: int, frame: FrameType | None) -> None:
        """Note a signal, and defer no further one."""
        self.received = signal.Signals(number)
        self.__exit__()

    def __exit__(self, *error: object) -> None:
        for number, handler in self.previous_handlers.items():
            signal.signal(number, handler)
