"""Writing files so that a failure leaves what was there before."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def failure_named(deed: str, path: object) -> Iterator[None]:
    """Say of an OSError what could not be done with which file; keep its class and number."""
    try:
        yield
    except OSError as error:
        named = type(error)(f"cannot {deed} {path}: {error.strerror}")
        named.errno = error.errno
        raise named from None


def check_writable(path: str | Path) -> None:
    """Raise an OSError if `write_atomically` could not write here; change nothing."""
    target = Path(os.path.realpath(path))
    problem = 0
    if target.is_dir():
        problem = errno.EISDIR
    elif target.exists() and not os.access(target, os.W_OK):
        problem = errno.EACCES
    with failure_named("write", path):
        if problem:
            raise OSError(problem, os.strerror(problem))
        if not _is_special(target):
            tempfile.TemporaryFile(dir=target.parent).close()


def write_atomically(path: str | Path, data: bytes) -> None:
    """Replace a file at once or, when that fails with an OSError, not at all.

    A symbolic link stays one: the file that it points to is replaced.
    """
    check_writable(path)
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    with failure_named("write", path):
        if _is_special(target):
            target.write_bytes(data)
            return
        try:
            with open(temporary, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)


def _is_special(path: Path) -> bool:
    """Say whether this is a device or a pipe, which can be written but not replaced."""
    return path.exists() and not path.is_file()
