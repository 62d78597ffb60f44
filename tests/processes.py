"""Python and Node in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

from weave.node import find_node

ROOT = Path(__file__).resolve().parents[1]
Ran = subprocess.CompletedProcess[str]


def python(*arguments: object, cwd: str | Path = ROOT, **environment: str) -> Ran:
    """Run Python; pytest's own variables are no concern of it."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env=ours | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def javascript(program: Path | str, given: str = "") -> str:
    """Return what a file prints under Node when it is given a text, or what a text prints."""
    options = [str(program)] if isinstance(program, Path) else ["--input-type=module"]
    return subprocess.run(
        [find_node() or "node", *options],
        input=given or str(program),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
