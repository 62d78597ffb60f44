"""Writing files so that a failure leaves what was there before."""

import errno
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def os_errors_as(action: str, path: object) -> Iterator[None]:
    """Let an OSError say 'cannot <action> <path>'; keep its class and number."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        folder = os.path.dirname(str(path))
        if (
            error.errno == errno.ENOENT
            and folder
            and not os.path.isdir(folder)
        ):
            reason = f"the folder {folder} does not exist"
        named = f"cannot {action} {path}: {reason}"
        raise OSError(error.errno, named) from None


def check_writable(path: str | Path) -> None:
    """Raise an OSError if `write_atomically` could not write here; change nothing."""
    target = Path(os.path.realpath(path))
    with os_errors_as("write", path):
        if str(path).endswith(os.sep) and not target.exists():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if _is_special(target):
            if not os.access(target, os.W_OK):
                raise PermissionError(
                    errno.EACCES, os.strerror(errno.EACCES)
                )
            return
        try:
            open(target, "r+b").close()
        except FileNotFoundError:
            pass  # it will be a new one
        tempfile.TemporaryFile(dir=target.parent).close()


def write_atomically(path: str | Path, data: bytes) -> None:
    """Replace a file at once or, when that fails with an OSError, not at all.

    A symbolic link stays one: the file that it points to is replaced.
    """
    check_writable(path)
    target = Path(os.path.realpath(path))
    copy = target.with_name(f".microgpt-{secrets.token_hex(8)}")
    with os_errors_as("write", path):
        if _is_special(target):
            target.write_bytes(data)
            return
        try:
            with open(copy, "xb") as file:
                if target.exists():
                    shutil.copymode(target, copy)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(copy, target)
        except BaseException:
            copy.unlink(missing_ok=True)
            raise


def _is_special(path: Path) -> bool:
    """Say whether this is a device or a pipe, which can be written but not replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()
