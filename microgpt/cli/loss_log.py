"""The losses of a run in a file: one JSON object per step and line."""

import json
import os
import re
from pathlib import Path

from microgpt.files import os_errors_as

LINE_PATTERN = re.compile(
    rb'\{"step": ([1-9]\d{0,17}), "loss": (null|-?\d[\d.e+-]*)\}\n?'
)
# What a crash may have left of a line
CUT_LINE_PATTERN = re.compile(rb'\{("(s(t(e(p("(:( .*)?)?)?)?)?)?)?)?')


class LossLog:
    """A file of lines such as {"step": 1, "loss": 3.366}, each written at once.

    Args:
        path: The file. If it exists, its lines up to `steps` stay; later ones, from
            when a run got further but was not saved, are cut off.
        steps: How many steps the run has taken.

    Raises:
        ValueError: The file holds something else, which stays.
        OSError: The file cannot be written.
    """

    def __init__(self, path: str | Path, steps: int = 0) -> None:
        self.path = path
        with os_errors_as("write", path):
            if os.path.isfile(path):
                os.truncate(path, _bytes_until_step(Path(path), steps))
            self.file = open(path, "a", buffering=1, encoding="utf-8")  # noqa: SIM115 (until `close`)

    def write(self, step: int, loss: float) -> None:
        """Add a line; it is in the file when this returns."""
        with os_errors_as("write", self.path):
            self.file.write(json.dumps({"step": step, "loss": loss}) + "\n")

    def close(self) -> None:
        """Close the file."""
        with os_errors_as("write", self.path):
            self.file.close()


def _bytes_until_step(path: Path, steps: int) -> int:
    """Return the size in bytes of the lines of the first `steps` steps."""
    length, before = 0, None
    lines = path.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        row = LINE_PATTERN.fullmatch(line)
        step = int(row[1]) if row else None
        if step is None or before not in (None, step - 1):
            # A crash may have left a part of the last line
            is_last = 1 < number == len(lines)
            if is_last and CUT_LINE_PATTERN.fullmatch(line):
                break
            raise ValueError(
                f"{path} exists and is not a losses file (microgpt did not write"
                f" line {number}), so it was not overwritten:"
                " give --losses a new file name"
            )
        if step <= steps and line.endswith(b"\n"):
            length += len(line)
        before = step
    return length
