"""Files as they stand, and writing them so that a failure leaves what was there."""

import os
import shutil
import tempfile
from contextlib import suppress
from os.path import isfile
from pathlib import Path

# Files, when each was written, and how long it is: while this stays, so do they.
State = tuple[tuple[str, int, int], ...]


def state(root: Path, *names: str) -> State:
    """Return the state of files, and of all that folders hold and do not hide."""
    paths = [path for path in map(str, map(root.joinpath, names)) if isfile(path)]
    for name in names:
        for folder, folders, files in os.walk(root / name):
            folders[:] = [f for f in folders if f[0] != "." and f != "__pycache__"]
            paths += [os.path.join(folder, file) for file in files if file[0] != "."]
    found = []
    for path in sorted(paths):
        with suppress(OSError):  # it is gone, as an editor's are, or leads nowhere
            stat = os.stat(path)
            found.append((path, stat.st_mtime_ns, stat.st_size))
    return tuple(found)


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
