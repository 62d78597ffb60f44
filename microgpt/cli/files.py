"""Writing files so that a failure leaves what was there before."""

import errno
import os
import tempfile
from pathlib import Path


def check_writable(path: str | Path) -> None:
    """Raise an OSError if `write_atomically` could not write here; change nothing."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(
            errno.EISDIR, os.strerror(errno.EISDIR), str(path)
        )
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(
            errno.EACCES, os.strerror(errno.EACCES), str(path)
        )
    if not _is_special(path):
        tempfile.TemporaryFile(dir=target.parent).close()


def write_atomically(path: str | Path, data: bytes) -> None:
    """Replace a file at once or, when that fails with an OSError, not at all.

    A symbolic link stays one: the file that it points to is replaced.
    """
    check_writable(path)
    if _is_special(path):
        Path(path).write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(_create(temporary), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if os.fstat(file.fileno()).st_nlink == 0:
                os.link(
                    f"/proc/self/fd/{file.fileno()}",
                    temporary,
                    src_dir_fd=0,
                )
        if target.exists():
            os.chmod(temporary, target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _is_special(path: str | Path) -> bool:
    """Say whether this is a device or a pipe, which can be written but not replaced."""
    return Path(path).exists() and not Path(path).is_file()


def _create(temporary: Path) -> int:
    """Open a new file; on Linux one without a name, so that a kill leaves nothing."""
    try:
        return os.open(temporary.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except (AttributeError, OSError):
        return os.open(
            temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666
        )
