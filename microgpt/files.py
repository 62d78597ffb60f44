"""Writing files so that a failure leaves what was there before."""

import errno
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

# What the system says of a file that is mounted, or open in another program
HELD = (errno.EBUSY, errno.EXDEV, errno.EPERM, errno.EACCES)


@contextmanager
def os_errors_as(action: str, path: object) -> Iterator[None]:
    """Let an OSError say 'cannot <action> <path>'; keep its class and number."""
    try:
        yield
    except OSError as error:
        why = "; ".join([error.strerror or str(error), *notes(error)])
        named = f"cannot {action} {path}: {why}"
        raise OSError(error.errno, named) from None


def notes(error: BaseException) -> list[str]:
    """Return what was added to an error with `add_note`."""
    added: list[str] = getattr(error, "__notes__", [])
    return added


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

    A symbolic link stays one: the file that it points to is replaced. A file that the
    system does not let anyone replace, such as a mounted one, is overwritten; if that
    fails or is interrupted, the data is in a file beside it, which the error names.
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
                _write_to_disk(file, data)
            try:
                os.replace(copy, target)
                return
            except OSError as error:
                if error.errno not in HELD:
                    raise
        except BaseException:
            copy.unlink(missing_ok=True)
            raise
        try:
            with open(target, "wb") as file:
                _write_to_disk(file, data)
        except BaseException as error:
            error.add_note(f"a whole copy is in {copy}")
            raise
        copy.unlink()


def _write_to_disk(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def _is_special(path: Path) -> bool:
    """Say whether this is a device or a pipe, which can be written but not replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()
