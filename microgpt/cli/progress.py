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

LASTING_PROGRESS_LINES_PER_RUN = 20  # of a whole run on a terminal
PROGRESS_REFRESH_SECONDS = 0.1
RATE_WINDOW_REFRESHES = 50  # refreshes that the rate is measured over


class Progress:
    """Prints the loss of each step.

    Each has a line of its own in a pipe or a file. On a terminal it is one line, which
    is rewritten, and has the rate and the time left too; a few lines stay, with the
    mean of the losses since the one before.
    """

    def __init__(
        self,
        step: int,
        num_steps: int,
        stop: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin after `step` of `num_steps` steps, and expect `stop` to be the last."""
        self.num_steps, self.stop = num_steps, stop
        self.clock = clock
        self.is_live = can_rewrite_stdout_line()
        self.interval = max(1, num_steps // LASTING_PROGRESS_LINES_PER_RUN)
        self.refreshes = deque(
            [(clock(), step)], maxlen=RATE_WINDOW_REFRESHES
        )
        self.losses: list[float] = []  # since the last line that stays
        self.line = ""  # what the last step has to say
        self.live_width = 0  # characters of the line that is rewritten

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
            self.print_lasting_line()
        elif now - self.refreshes[-1][0] < PROGRESS_REFRESH_SECONDS:
            return
        if step < self.stop:
            self.rewrite_line_with_first_fitting(
                *self.format_live_line_alternatives(now, step)
            )
            self.refreshes.append((now, step))

    def print_lasting_line(self) -> None:
        """Replace the line that is rewritten by one that stays."""
        self.erase_line()
        count = len(self.losses)
        mean = math.fsum(self.losses) / count
        of_many = (
            f" | mean of {count} steps {mean:.4f}" if count > 1 else ""
        )
        print(f"{self.line}{of_many}", flush=True)
        self.losses.clear()

    def format_live_line_alternatives(
        self, now: float, step: int
    ) -> tuple[str, str, str]:
        """Return the line with the rate and the time left, and shorter ones."""
        then, first = self.refreshes[0]
        seconds = max(now - then, 1e-9) / (step - first)
        rate = format_rate(seconds)
        left = f"{format_seconds(seconds * (self.stop - step))} left"
        return (
            f"{self.line} | {rate} | {left}",
            f"{self.line} | {left}",
            self.line,
        )

    def rewrite_line_with_first_fitting(self, *texts: str) -> None:
        """Replace the line by the first text that fits, or by a part of the last."""
        # Without the room for the ^C that a terminal adds
        room = max(shutil.get_terminal_size().columns - 3, 0)
        fitting = (text for text in texts if len(text) <= room)
        text = next(fitting, texts[-1][:room])
        print(f"\r{text:{min(self.live_width, room)}}", end="", flush=True)
        self.live_width = len(text)

    def erase_line(self) -> None:
        """Remove the line that is rewritten, and a ^C after it."""
        if self.live_width:
            print(f"\r{'':{self.live_width + 2}}", end="\r", flush=True)
            self.live_width = 0

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):  # the terminal may be gone
            if self.losses:
                self.print_lasting_line()
            else:
                self.erase_line()


def can_rewrite_stdout_line() -> bool:
    """Say whether the output goes to a terminal that can rewrite a line."""
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
