"""The Python that readers' browsers run: one archive, of the project as it stands.

It lies with the theme's files, because builders copy those, and `mkdocs serve` does
not watch them: writing it there starts no build.
"""

import hashlib
import io
import zipfile
from functools import lru_cache
from pathlib import Path

from weave.files import State, replace, state

PACKAGES = ("microgpt", "snippets", "web/runtime", "web/widgets")
ARCHIVE = Path("web", "theme", "assets", "python.zip")


def write_bundle(root: Path) -> None:
    """Write the archive unless it is there already."""
    replace(root / ARCHIVE, _pack(root, _state(root)))


def edition(root: Path) -> str:
    """Return a short hash of the Python that readers' browsers run."""
    return hashlib.sha256(_pack(root, _state(root))).hexdigest()[:10]


def bundled(root: Path) -> list[Path]:
    """Return the files of the archive."""
    return [Path(path) for path, _, _ in _state(root)]


def _state(root: Path) -> State:
    return tuple(x for x in state(root, *PACKAGES) if _runs(Path(x[0])))


def _runs(path: Path) -> bool:
    """Tell whether the browser needs a file, as opposed to only tests or recording."""
    aside = path.name.startswith("test_") or path.parent.name == "records"
    return path.suffix in (".py", ".txt", ".json") and not aside


@lru_cache(maxsize=2)
def _pack(root: Path, state: State) -> bytes:
    """Return the archive's bytes, the same for the same files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in (Path(each) for each, _, _ in state):
            name = path.relative_to(root).as_posix().removeprefix("web/")
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
