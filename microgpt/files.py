"""Writing files so that a failure leaves the old content."""

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
    """Re-raise an OSError with a message that says what to change.

    The new error has the same class and `errno`.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        folder = os.path.dirname(str(path))
        match error.errno:
            case errno.ENOENT if folder and not os.path.isdir(folder):
                advice = (
                    "create it" if action == "write" else "check its name"
                )
                reason = f"the folder {folder!r} does not exist: {advice}"
            case errno.ENOENT if action == "read":
                reason = "no such file: check its name and folder"
            case errno.EISDIR:
                file = os.path.join(str(path), "FILE")
                message = f"{str(path)!r} is a folder: give a file in it"
                raise OSError(
                    error.errno, f"{message}, such as {file}"
                ) from None
            case errno.ENAMETOOLONG:
                reason = "its name is too long: give it a shorter one"
        message = f"cannot {action} {path}: {reason}"
        raise OSError(error.errno, message) from None


def check_writable(path: str | Path) -> None:
    """Raise OSError if `write_atomically` could not write to a path.

    Nothing is changed.
    """
    target = Path(os.path.realpath(path))
    with os_errors_as("write", path):
        if str(path).endswith(os.sep) and not target.exists():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if _is_device_or_pipe(target):
            if not os.access(target, os.W_OK):
                raise PermissionError(
                    errno.EACCES, os.strerror(errno.EACCES)
                )
            return
        try:
            open(target, "r+b").close()
        except FileNotFoundError:
            pass  # it will be a new file
        tempfile.TemporaryFile(dir=target.parent).close()


def write_atomically(path: str | Path, data: bytes) -> None:
    """Replace a file's content, or raise OSError and leave it as it was.

    A symbolic link stays one: the file that it points to is replaced.
    """
    check_writable(path)
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".microgpt-{secrets.token_hex(8)}")
    with os_errors_as("write", path):
        if _is_device_or_pipe(target):
            target.write_bytes(data)
            return
        try:
            with open(temporary, "xb") as file:
                if target.exists():
                    shutil.copymode(target, temporary)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _is_device_or_pipe(path: Path) -> bool:
    """Return whether a path can be written to, but not replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()
