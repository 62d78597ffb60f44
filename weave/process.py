"""Running a part of weave in a process of its own, which imports the project anew."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

TIME_LIMIT = 300  # seconds; what a reader waits for is far shorter


class Stopped(Exception):
    """The process did not end well; says why, in a few words."""


def environment(*paths: Path) -> dict[str, str]:
    """Return this process's environment, with what Python is to import from."""
    path = os.pathsep.join(map(str, paths))
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


def run_module(
    module: str,
    *arguments: str,
    within: Path,
    paths: Iterable[Path],
    given: str = "",
) -> str:
    """Return what `python -m module` prints when it is started within a folder.

    `paths` are where it imports from, and `given` is what it reads. Raise Stopped if it
    fails, or runs for too long.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=within,
            timeout=TIME_LIMIT,
            check=False,
            env=environment(*paths),
        )
    except subprocess.TimeoutExpired:
        raise Stopped(f"it ran for more than {TIME_LIMIT} s") from None
    if done.returncode != 0:
        raise Stopped((done.stderr.strip().splitlines() or ["no message"])[-1])
    return done.stdout
