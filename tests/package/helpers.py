"""What several tests of the package share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ORIGINAL = ROOT.parent / "shared" / "data"  # the original's names and losses
# fmt: off
NAMES = [
    "anna", "ben", "clara", "david", "elif", "farid", "greta", "hugo", "ida",
    "jonas", "kaya", "lena", "mateo", "nora", "omar", "paula", "quentin", "rosa",
    "samir", "tara", "ulla", "victor", "wanda", "xavier", "yuki", "zoe",
]
# fmt: on
TINY = ("--width", "4", "--heads", "2", "--context", "8")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "microgpt", *map(str, arguments)]


def environment(**changes: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | changes


def microgpt(
    *arguments: object, folder: Path, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run the real program in a process of its own."""
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
