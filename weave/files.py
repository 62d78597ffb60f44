"""Files that a build writes for builders to copy."""

import os
import tempfile
from pathlib import Path

# Files, when each was written, and how long it is: while this stays, so do they.
State = tuple[tuple[str, int, int], ...]


_held: dict[tuple[Path, tuple[str, ...]], State] | None = None


def hold() -> None:
    """Find out each state once from now on: a build shows the files as it found them."""
    global _held
    _held = {}


def release() -> None:
    """Look again, each time: the build is over."""
    global _held
    _held = None


def state(root: Path, *names: str) -> State:
    """Return the state of files, and of all that folders hold and do not hide."""
    if _held is None:
        return _found(root, names)
    if (root, names) not in _held:
        _held[root, names] = _found(root, names)
    return _held[root, names]


def _found(root: Path, names: tuple[str, ...]) -> State:
    found: list[tuple[str, int, int]] = []
    folders = []
    for name in names:
        path = root / name
        if path.is_dir():
            folders.append(str(path))
        elif path.exists():
            stat = path.stat()
            found.append((str(path), stat.st_mtime_ns, stat.st_size))
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.startswith(".") or entry.name == "__pycache__":
                    continue
                if entry.is_dir():
                    folders.append(entry.path)
                else:
                    stat = entry.stat()
                    found.append((entry.path, stat.st_mtime_ns, stat.st_size))
    return tuple(sorted(found))


def replace(path: Path, content: bytes) -> None:
    """Write a file whole, unless it holds this already: others may be reading it."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    # Builders overlook names that begin with a dot.
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        file.write(content)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
