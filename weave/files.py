"""Files as they stand, and writing them so that a failure leaves what was there."""

import os
from pathlib import Path


def files_in(root: Path, *names: str) -> list[Path]:
    """Return files, and all that folders hold and do not hide, in order."""
    found = {
        path for name in names for path in (root / name, *(root / name).rglob("*"))
    }
    return sorted(path for path in found if path.is_file() and not _hidden(root, path))


def _hidden(root: Path, path: Path) -> bool:
    parts = path.relative_to(root).parts
    return any(part[0] == "." or part == "__pycache__" for part in parts)


def replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, unless it holds this already.

    Others may be reading it. A symbolic link stays one.
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
