"""The losses of a run in a file: one JSON object per step and line."""

import json
import math
import os
import re
from pathlib import Path

from microgpt.cli.files import failure_named

# What a crash may have left of the last line
BEGUN = re.compile(
    rb'\{"?s?t?e?p?"?:? ?\d*,? ?"?l?o?s?s?"?:? ?(n?u?l?l?|[-+.\de]*)'
)


class LossLog:
    """Writes lines such as {"step": 1, "loss": 3.366} to a file, each at once.

    A run that goes on after `steps` steps goes on in its file too: later lines, from
    when it got further but was not saved, are cut off. Raise ValueError if that file
    holds something else, which stays; OSError if it cannot be written.
    """

    def __init__(self, path: str | Path, steps: int = 0) -> None:
        self.path = path
        with failure_named("write", path):
            if os.path.isfile(path):
                os.truncate(path, _length_until(Path(path), steps))
            self.file = open(path, "a", buffering=1, encoding="utf-8")  # noqa: SIM115 (until `close`)

    def write(self, step: int, loss: float) -> None:
        """Add a line; it is in the file when this returns.

        JSON has no NaN and no infinity: the loss of a run that blew up is null.
        """
        known = loss if math.isfinite(loss) else None
        with failure_named("write", self.path):
            self.file.write(
                json.dumps({"step": step, "loss": known}) + "\n"
            )

    def close(self) -> None:
        """Close the file."""
        with failure_named("write", self.path):
            self.file.close()


def _length_until(path: Path, steps: int) -> int:
    """Return how many bytes the lines of the first steps take."""
    length, going_on, before = 0, True, None
    lines = path.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        try:
            step = _step(line, before)
        except (ValueError, LookupError, TypeError, RecursionError):
            is_last = 1 < number == len(lines)
            if not is_last or not BEGUN.fullmatch(line):
                raise ValueError(
                    f"{path} is not a file of losses (see its line {number}):"
                    " choose another one for --losses"
                ) from None
            break
        before = step
        going_on = going_on and step <= steps and line.endswith(b"\n")
        if going_on:
            length += len(line)
    return length


def _step(line: bytes, before: int | None) -> int:
    """Read which step a line is about; raise an error if no run of ours wrote it.

    It comes after that of the line before.
    """
    row = json.loads(line)
    step, loss = row["step"], row["loss"]
    written = json.dumps({"step": step, "loss": loss}, allow_nan=False)
    if line.removesuffix(b"\n") != written.encode():
        raise ValueError
    if (
        type(step) is not int
        or step != (before or step - 1) + 1
        or step < 1
    ):
        raise ValueError
    if type(loss) not in (int, float, type(None)):
        raise ValueError
    return step
