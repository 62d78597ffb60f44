"""The losses of a run in a file: one JSON object per step and line."""

import json
import math
import os
from pathlib import Path


class LossLog:
    """Writes lines such as {"step": 1, "loss": 3.366} to a file, each at once.

    A run that goes on after `steps` steps goes on in its file too: later lines, from
    when it got further but was not saved, are cut off. Raise ValueError if that file
    holds something else, OSError if it cannot be written.
    """

    def __init__(self, path: str | Path, steps: int = 0) -> None:
        going_on = steps > 0 and Path(path).is_file()
        if going_on:
            os.truncate(path, _length_until(Path(path), steps))
        mode = "a" if going_on else "w"
        self.file = open(path, mode, buffering=1, encoding="utf-8")  # noqa: SIM115 (until `close`)

    def write(self, step: int, loss: float) -> None:
        """Add a line; it is in the file when this returns.

        JSON has no NaN and no infinity: the loss of a run that blew up is null.
        """
        known = loss if math.isfinite(loss) else None
        self.file.write(json.dumps({"step": step, "loss": known}) + "\n")

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def _length_until(path: Path, steps: int) -> int:
    """Return how many bytes the lines of the first steps take."""
    length = 0
    for line in path.read_bytes().splitlines(keepends=True):
        try:
            is_earlier = 1 <= json.loads(line)["step"] <= steps
        except (ValueError, LookupError, TypeError, RecursionError):
            if length == 0:
                raise ValueError(
                    f"{path} holds no losses to go on from"
                ) from None
            is_earlier = False
        if not is_earlier or not line.endswith(b"\n"):
            break
        length += len(line)
    return length
