"""Ending a run at a moment when it can be saved."""

import signal
from types import FrameType
from typing import Self

# Windows closes no terminal with a signal
SIGNALS = {"SIGINT", "SIGTERM", "SIGHUP"} & vars(signal).keys()


class Interruption:
    """Defers Ctrl-C, a request to end and the end of the terminal: see `signal`.

    In the middle of a step, a run is in no state that could be saved. A second signal
    is not held back, and one that this process was told to ignore stays ignored.
    """

    def __init__(self) -> None:
        self.signal = 0
        numbers = [signal.Signals[name] for name in SIGNALS]
        self.before = {n: signal.getsignal(n) for n in numbers}

    def __enter__(self) -> Self:
        for number, handler in self.before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self.note)
        return self

    def note(self, number: int, frame: FrameType | None) -> None:
        """Remember the signal, and let the next one through."""
        self.signal = number
        self.__exit__()

    def __exit__(self, *error: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)
