"""Files as they stand, and writing them so that a failure leaves what was there."""

import os
import shutil
import tempfile
from pathlib import Path


def files_in(root: Path, *names: str) -> list[Path]:
    """Return files, and all that folders hold and do not hide, in order."""
    paths = [
        path for name in names for path in (root / name, *(root / name).rglob("*"))
    ]
    return sorted(path for path in paths if path.is_file() and not _hidden(root, path))


def _hidden(root: Path, path: Path) -> bool:
    parts = path.relative_to(root).parts
    return any(part[0] == "." or part == "__pycache__" for part in parts)


def replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, unless it holds this already.

    Others may be reading it. Its permissions stay, and a symbolic link stays one.
    """
    path = Path(os.path.realpath(path))
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    # Builders overlook names that begin with a dot.
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with open(number, "wb") as file:
            file.write(content)
        if path.exists():
            shutil.copymode(path, temporary)
        else:
            os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
