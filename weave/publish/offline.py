"""The worker that keeps the guide on readers' devices: its script, with what to keep.

Its list names all that a build copies, each file with its hash, and the pages, each of
which says which edition it is of: so nothing of another edition is ever kept with it.
Like the archive of `weave.bundle` the script lies with the theme's files.
"""

import base64
import hashlib
import json
import os
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from weave import bundle
from weave.files import State, replace, state
from weave.guide import address_of

THEME = Path("web", "theme")
SCRIPT = THEME / "service-worker.js"
# Included by the theme's template; without it a page is never kept.
EDITION = THEME / "edition.html"
PROGRAM = Path("web", "dist", "service-worker.js")

# What a build depends on, beside the versions of these packages.
SOURCES = ("docs", "microgpt", "snippets", "weave", "web/dist", "web/theme")
SETTINGS = ("mkdocs.yml", "pyproject.toml", ".github/workflows/pages.yml")
BUILDERS = (
    "markdown",
    "mkdocs",
    "mkdocs-material",
    "pygments",
    "pymdown-extensions",
    "zensical",
)
THEMES = ("material", "zensical")
# Python and what it runs: fetched at the first Run, large, and versioned by name.
PYTHON = ("assets/pyodide-", "assets/worker-", "assets/python.zip")

# What browsers know a file by: its hash, as they write it, and how many bytes it has.
Known = tuple[str, int]


def write_worker(root: Path, *, previewing: bool) -> None:
    """Write the worker's script and the name of the edition, where they changed."""
    program = root / PROGRAM
    if not program.is_file():  # web/ is not built: nothing would ask for the worker
        (root / SCRIPT).unlink(missing_ok=True)
        (root / EDITION).unlink(missing_ok=True)
        return
    if previewing:
        # An author wants to see what was just saved: this worker removes itself, and
        # any that an earlier build left at this address.
        edition, build = "", '{"edition":""}'
    else:
        address = os.environ.get("SITE_URL", "")
        edition, build = _build(root, _state(root), address)
    script = f"const BUILD = {build};\n{program.read_text(encoding='utf-8')}"
    replace(root / SCRIPT, script.encode())
    replace(root / EDITION, edition.encode())


def _state(root: Path) -> State:
    own = (str(root / SCRIPT), str(root / EDITION))
    return tuple(x for x in state(root, *SOURCES, *SETTINGS) if x[0] not in own)


def _build(root: Path, state: State, address: str) -> tuple[str, str]:
    """Return the edition, and as JSON what the worker keeps of it."""
    known = {path: known_by(path) for path in (Path(each) for each, _, _ in state)}
    total = hashlib.sha256(repr([address, *map(_version, BUILDERS)]).encode())
    for path, (digest, _) in known.items():
        total.update(f"{path.relative_to(root).as_posix()} {digest}\n".encode())
    edition = total.hexdigest()[:16]
    pages: list[str] = []
    labs: list[str] = []
    files: dict[str, Known] = {}
    theme = _theme_files()
    for path, each in known.items():
        if path.is_relative_to(root / "docs"):
            if path.suffix == ".md":
                pages.append(address_of(path.relative_to(root)))
            elif path.suffix == ".ipynb":  # a page, or with Zensical a file as it is
                labs.append(address_of(path.relative_to(root)))
                theme[_url(path, root / "docs")] = each
            else:
                files[_url(path, root / "docs")] = each
        elif path.is_relative_to(root / THEME) and path.suffix != ".html":
            files[_url(path, root / THEME)] = each
    python = {name: files.pop(name) for name in list(files) if name.startswith(PYTHON)}
    if archive := python.pop("assets/python.zip", None):
        python[f"assets/python.zip?{bundle.edition(root)}"] = archive
    build = {
        "edition": edition,
        "pages": sorted(pages),
        "files": files,
        "theme": {name: theme[name] for name in theme if name not in files},
        "labs": sorted(labs),
        "python": python,
    }
    return edition, json.dumps(build, separators=(",", ":"))


def _theme_files() -> dict[str, Known]:
    """Return the scripts and styles that a builder may add; pages name those it did."""
    found = {}
    for spec in map(find_spec, THEMES):
        for folder in (spec and spec.submodule_search_locations) or ():
            templates = Path(folder, "templates")
            for path in sorted(templates.glob("assets/**/*.min.*")):
                if path.suffix in (".css", ".js") and "lunr" not in path.parts:
                    found[_url(path, templates)] = known_by(path)
    return found


def _url(path: Path, folder: Path) -> str:
    return quote(path.relative_to(folder).as_posix())


def known_by(path: Path) -> Known:
    """Return what a browser knows a file by."""
    content = path.read_bytes()
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    return f"sha256-{digest}", len(content)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
