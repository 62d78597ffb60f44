"""The archive of Python code that readers' browsers run: `python.zip`.

It is one of the theme's files, because builders copy those, and `mkdocs serve` does not
watch them: writing it there starts no build.
"""

import hashlib
import io
import zipfile
from pathlib import Path

from weave.errors import WeaveError
from weave.files import list_visible_files, write_if_changed

ARCHIVED_FOLDERS = ("microgpt", "snippets", "web/runtime", "web/widgets")
READ_BY_BLOCKS = (
    "docs/data/doubled-two-30k-weights.json",
    "docs/data/sentences-one-30k-weights.json",
)
ARCHIVE_PATH = Path("web", "theme", "assets", "python.zip")


def write_python_archive(root: Path) -> None:
    """Write the archive; the same files always give the same bytes."""
    content, method = io.BytesIO(), zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(content, "w", method, compresslevel=9) as archive:
        for path in list_archived_files(root):
            name = path.relative_to(root).as_posix().removeprefix("web/")
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = method
            archive.writestr(entry, path.read_bytes())
    write_if_changed(root / ARCHIVE_PATH, content.getvalue())


def hash_python_archive(root: Path) -> str:
    """Return ten hexadecimal digits that change whenever the archive does.

    Raises:
        WeaveError: The archive has not been written.
    """
    try:
        content = (root / ARCHIVE_PATH).read_bytes()
    except FileNotFoundError:
        raise WeaveError(
            "is missing: run 'python -m weave publish' before the build", ARCHIVE_PATH
        ) from None
    return hashlib.sha256(content).hexdigest()[:10]


def list_archived_files(root: Path) -> list[Path]:
    """Return the files that browsers need, without those of tests and records."""
    return [
        path
        for path in list_visible_files(root, *ARCHIVED_FOLDERS, *READ_BY_BLOCKS)
        if path.suffix in (".py", ".txt", ".json", ".diff")
        and not path.name.startswith("test_")
        and path.parent.name != "records"
    ]
