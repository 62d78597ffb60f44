"""The progress of a training run: a line per step, or one that is rewritten."""

import math
import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Self

KEPT_LINES_PER_RUN = 20  # lines of a whole run that stay on a terminal
REFRESH_SECONDS = 0.1  # between two versions of the line that is rewritten
RATE_WINDOW_REFRESHES = 50  # refreshes that the rate is measured over


class Progress:
    """Prints the loss of each step to the standard output.

    In a pipe or a file, each step has a line. On a terminal there is one line, the
    live line: it is rewritten after a step, ten times a second at most, and shows the
    step, its loss, the rate and the time left, as far as they fit. Each twentieth of
    a run, and when it ends, a line is kept above it: the step, its loss, and the mean
    of the losses since the line kept before.

    Args:
        step: Steps taken so far.
        num_steps: Steps of the whole run.
        stop: The step that this command ends with.
        clock: Returns seconds.
    """

    def __init__(
        self,
        step: int,
        num_steps: int,
        stop: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.num_steps, self.stop, self.clock = num_steps, stop, clock
        self.is_live = can_rewrite_stdout_line()
        self.interval = max(1, num_steps // KEPT_LINES_PER_RUN)
        refresh = (clock(), step)
        self.refreshes = deque([refresh], maxlen=RATE_WINDOW_REFRESHES)
        self.losses: list[float] = []  # since the last line that was kept
        self.line = ""  # the last step and its loss
        self.live_width = 0  # characters of the live line

    def __enter__(self) -> Self:
        return self

    def report_step(self, step: int, loss: float) -> None:
        """Show that a step was taken, and its loss."""
        self.line = (
            f"step {step:4d} / {self.num_steps:4d} | loss {loss:.4f}"
        )
        if not self.is_live:
            print(self.line, flush=True)
            return
        self.losses.append(loss)
        now = self.clock()
        if step % self.interval == 0 or step == self.stop:
            self.print_kept_line()
        elif now - self.refreshes[-1][0] < REFRESH_SECONDS:
            return
        if step < self.stop:
            self.rewrite_live_line(now, step)
            self.refreshes.append((now, step))

    def print_kept_line(self) -> None:
        """Replace the live line by one that is kept."""
        self.erase_live_line()
        count = len(self.losses)
        mean = math.fsum(self.losses) / count
        average = f" | mean of {count} steps {mean:.4f}" * (count > 1)
        print(f"{self.line}{average}", flush=True)
        self.losses.clear()

    def rewrite_live_line(self, now: float, step: int) -> None:
        """Show the last step with the rate and the time left, or as much as fits."""
        first_time, first_step = self.refreshes[0]
        seconds = max(now - first_time, 1e-9) / (step - first_step)
        left = f"{format_seconds(seconds * (self.stop - step))} left"
        # Without the room for the ^C that a terminal adds
        room = max(shutil.get_terminal_size().columns - 3, 0)
        candidates = (
            f"{self.line} | {format_rate(seconds)} | {left}",
            f"{self.line} | {left}",
            self.line[:room],
        )
        text = next(text for text in candidates if len(text) <= room)
        print(f"\r{text:{min(self.live_width, room)}}", end="", flush=True)
        self.live_width = len(text)

    def erase_live_line(self) -> None:
        """Remove the live line, and a ^C after it."""
        if self.live_width:
            print(f"\r{'':{self.live_width + 2}}", end="\r", flush=True)
            self.live_width = 0

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):  # the terminal may be gone
            if self.losses:
                self.print_kept_line()
            else:
                self.erase_live_line()


def can_rewrite_stdout_line() -> bool:
    """Return whether stdout is a terminal that can rewrite a line."""
    is_there = sys.stdout is not None and sys.stdout.isatty()
    return is_there and os.environ.get("TERM") != "dumb"


def format_rate(seconds_per_step: float) -> str:
    """Return the rate of steps as `2.5 steps/s`, or as `4.0 s/step` if they are slow."""
    if seconds_per_step > 1:
        return f"{seconds_per_step:,.1f} s/step"
    rate = 1 / seconds_per_step
    return f"{rate:,.0f} steps/s" if rate >= 10 else f"{rate:.1f} steps/s"


def format_seconds(seconds: float) -> str:
    """Return a duration as `0:37` or `1:02:03`."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{seconds:02d}"
    return f"{minutes}:{seconds:02d}"
