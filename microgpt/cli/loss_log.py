"""The losses of a run in a file: one JSON object per step and line."""

import json
import os
import re
from pathlib import Path

from microgpt.files import os_errors_as

LINE = re.compile(
    rb'\{"step": ([1-9]\d{0,17}), "loss": (null|-?\d[\d.e+-]*)\}\n?'
)
# What a crash may have left of a line
PART = re.compile(rb'\{("(s(t(e(p("(:( .*)?)?)?)?)?)?)?)?')


class LossLog:
    """Writes lines such as {"step": 1, "loss": 3.366} to a file, each at once.

    A run that goes on after `steps` steps goes on in its file too: later lines, from
    when it got further but was not saved, are cut off. Raise ValueError if that file
    holds something else, which stays; OSError if it cannot be written.
    """

    def __init__(self, path: str | Path, steps: int = 0) -> None:
        self.path = path
        with os_errors_as("write", path):
            if os.path.isfile(path):
                os.truncate(path, _length_until(Path(path), steps))
            self.file = open(path, "a", buffering=1, encoding="utf-8")  # noqa: SIM115 (until `close`)

    def write(self, step: int, loss: float) -> None:
        """Add a line; it is in the file when this returns."""
        with os_errors_as("write", self.path):
            self.file.write(json.dumps({"step": step, "loss": loss}) + "\n")

    def close(self) -> None:
        """Close the file."""
        with os_errors_as("write", self.path):
            self.file.close()


def _length_until(path: Path, steps: int) -> int:
    """Return how many bytes the lines of the first steps take."""
    length, before = 0, None
    lines = path.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        row = LINE.fullmatch(line)
        step = int(row[1]) if row else None
        if step is None or before not in (None, step - 1):
            # A crash may have left a part of the last line
            if 1 < number == len(lines) and PART.fullmatch(line):
                break
            raise ValueError(
                f"{path} is not a file of losses (see its line {number}):"
                " choose another one for --losses"
            )
        if step <= steps and line.endswith(b"\n"):
            length += len(line)
        before = step
    return length
