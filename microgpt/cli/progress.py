"""A progress bar on a terminal.

Ours, in a few lines, because the package needs nothing but Python; elsewhere tqdm or
rich would do it.
"""

import shutil
import sys
from time import monotonic


class Progress:
    """A bar on the last line of the terminal that shows standard error, if any does."""

    def __init__(self, total: int, done: int = 0) -> None:
        self.total, self.first, self.began = total, done, monotonic()
        self.shown = sys.stderr.isatty()

    def draw(self, done: int) -> None:
        """Show how much is done, and the time that the rest will take at this pace."""
        if not self.shown:
            return
        right = f" {done / self.total:4.0%}"
        if done > self.first:
            pace = (monotonic() - self.began) / (done - self.first)
            minutes, seconds = divmod(round(pace * (self.total - done)), 60)
            right += f", {minutes}:{seconds:02} left"
        width = shutil.get_terminal_size().columns - len(right) - 3
        filled = "#" * (width * done // self.total)
        print(
            f"\r[{filled:{max(width, 0)}}]{right}", end="", file=sys.stderr
        )
        sys.stderr.flush()

    def clear(self) -> None:
        """Make room for a line of text."""
        if self.shown:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r{'':{width}}\r", end="", file=sys.stderr, flush=True)
