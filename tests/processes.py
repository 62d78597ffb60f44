"""Run Python and Node in separate processes."""

import os
import subprocess
import sys
from pathlib import Path

from weave.node import find_node

ROOT = Path(__file__).resolve().parents[1]
CompletedProcess = subprocess.CompletedProcess[str]


def run_python(
    *arguments: object, cwd: str | Path = ROOT, **environment: str
) -> CompletedProcess:
    """Run Python without the environment variables of pytest; capture its output."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env=variables | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def run_node(program: Path | str, stdin: str = "") -> str:
    """Run a file, or a program given as text, under Node; return what it prints."""
    options = [str(program)] if isinstance(program, Path) else ["--input-type=module"]
    return subprocess.run(
        [find_node() or "node", *options],
        input=stdin or str(program),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
