"""The service worker that keeps the site on readers' devices, with its list of files.

The list has every file of a built site with its hash, so that files of two builds are
never mixed. MkDocs' hooks write the worker once the site is built; after another builder,
`python -m weave.publish.offline site` does.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path
from urllib.parse import quote

PROJECT_ROOT = Path(__file__).resolve().parents[2]
WORKER_PROGRAM = Path("web", "dist", "service-worker.js")  # built from web/runtime
WORKER_FILE = "service-worker.js"  # within the site
# Python and what it runs: large, and fetched at the first Run
PYTHON_PREFIXES = ("assets/pyodide-", "assets/worker-", "assets/python.zip")
# Files that no page loads
UNUSED_PREFIXES = "assets/javascripts/lunr/", "assets/images/", "sitemap.xml"

HashAndSize = tuple[str, int]  # `sha256-` with the digest in base 64; bytes


def write_service_worker(root: Path, site: Path, *, previewing: bool = False) -> None:
    """Write the service worker into the folder of a built site, unless web/ is not built.

    For a preview the worker's list is empty, so that the worker removes itself and all
    that earlier builds stored: an author sees what was just saved.
    """
    program = root / WORKER_PROGRAM
    if program.is_file():
        build = {"files": {}, "python": {}} if previewing else list_site_files(site)
        text = json.dumps(build, separators=(",", ":"))
        script = f"const BUILD = {text};\n{program.read_text(encoding='utf-8')}"
        (site / WORKER_FILE).write_text(script, encoding="utf-8")


def list_site_files(site: Path) -> dict[str, dict[str, HashAndSize]]:
    """Return the files of a built site by group, "python" or "files", and by URL."""
    groups: dict[str, dict[str, HashAndSize]] = {"files": {}, "python": {}}
    for path in sorted(filter(Path.is_file, site.rglob("*"))):
        name = path.relative_to(site).as_posix()
        is_skipped = name.startswith((*UNUSED_PREFIXES, WORKER_FILE, "."))
        if not is_skipped and path.suffix != ".map":
            group = "python" if name.startswith(PYTHON_PREFIXES) else "files"
            groups[group][quote(name.removesuffix("index.html"))] = hash_and_size(path)
    return groups


def hash_and_size(path: Path) -> HashAndSize:
    """Return the SHA-256 of a file, as browsers write it, and its number of bytes."""
    content = path.read_bytes()
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    return f"sha256-{digest}", len(content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m weave.publish.offline SITE (a built folder)")
    write_service_worker(PROJECT_ROOT, Path(sys.argv[1]))
