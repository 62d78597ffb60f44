"""The worker that keeps the guide on readers' devices: its script, with what to keep.

Its list names every file of a built site, each with its hash: so nothing of another
build is ever kept with it. `weave.mkdocs_hooks` writes it once MkDocs has built the site; after
another builder, `python -m weave.publish.offline site` does.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
WORKER_PROGRAM = Path("web", "dist", "service-worker.js")
WORKER_FILE = "service-worker.js"
# Python and what it runs: large, and fetched at the first Run
PYTHON_PREFIXES = ("assets/pyodide-", "assets/worker-", "assets/python.zip")
# What no page asks for
SKIPPED_PREFIXES = (
    "assets/javascripts/lunr/",
    "assets/images/",
    "sitemap.xml",
    WORKER_FILE,
    ".",
)

# What browsers know a file by: its hash, as they write it, and how many bytes it has.
HashAndSize = tuple[str, int]


def write_service_worker(root: Path, site: Path, *, previewing: bool = False) -> None:
    """Write the worker's script into a built site, unless web/ is not built.

    An author who previews wants to see what was just saved: the worker of an empty list
    removes itself, and any that an earlier build left at this address.
    """
    program = root / WORKER_PROGRAM
    if program.is_file():
        build = {"files": {}, "python": {}} if previewing else list_site_files(site)
        text = json.dumps(build, separators=(",", ":"))
        script = f"const BUILD = {text};\n{program.read_text(encoding='utf-8')}"
        (site / WORKER_FILE).write_text(script, encoding="utf-8")


def list_site_files(site: Path) -> dict[str, dict[str, HashAndSize]]:
    """Return the files of a site by their addresses, those of Python apart."""
    found: dict[str, dict[str, HashAndSize]] = {"files": {}, "python": {}}
    for path in sorted(filter(Path.is_file, site.rglob("*"))):
        name = path.relative_to(site).as_posix()
        if not name.startswith(SKIPPED_PREFIXES) and path.suffix != ".map":
            kind = "python" if name.startswith(PYTHON_PREFIXES) else "files"
            found[kind][quote(name.removesuffix("index.html"))] = hash_and_size(path)
    return found


def hash_and_size(path: Path) -> HashAndSize:
    """Return what a browser knows a file by."""
    content = path.read_bytes()
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    return f"sha256-{digest}", len(content)


if __name__ == "__main__":
    write_service_worker(ROOT, Path(sys.argv[1]))
