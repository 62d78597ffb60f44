"""Listing files, and writing them so that a failure leaves the old content."""

import os
import re
from pathlib import Path


def list_visible_files(root: Path, *names: str) -> list[Path]:
    """Return files, and the files in folders, sorted; skip hidden ones and caches.

    The names are paths relative to the root.
    """
    tops = [root / name for name in names]
    files = filter(Path.is_file, [*tops, *(x for top in tops for x in top.rglob("*"))])
    hidden = re.compile(r"(^|/)(\.|__pycache__/)")
    return sorted(x for x in files if not hidden.search(x.relative_to(root).as_posix()))


def write_if_changed(path: Path, content: bytes) -> None:
    """Write a file, unless it has this content already.

    It is written whole or, on failure, not at all: others may be reading it. A symbolic
    link stays a link.
    """
    path = path.resolve()
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    # Builders overlook names that begin with a dot.
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
