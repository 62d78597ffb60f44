"""Listing files, and writing them so that a failure leaves the old content."""

import os
from pathlib import Path


def list_visible_files(root: Path, *names: str) -> list[Path]:
    """Return files, and the files in folders, sorted; skip hidden ones and caches.

    Args:
        root: The folder that the names are relative to.
        names: Paths of files or folders.
    """
    paths = {
        path for name in names for path in (root / name, *(root / name).rglob("*"))
    }
    return sorted(
        path for path in paths if path.is_file() and not _is_hidden_or_cache(root, path)
    )


def _is_hidden_or_cache(root: Path, path: Path) -> bool:
    parts = path.relative_to(root).parts
    return any(part[0] == "." or part == "__pycache__" for part in parts)


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
