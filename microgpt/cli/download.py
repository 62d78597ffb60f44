"""The names that the original trains on, fetched from their public home."""

import hashlib
import http.client
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from microgpt.cli.files import write_atomically

URL = (
    "https://raw.githubusercontent.com/karpathy/makemore/988aa59/names.txt"
)
SHA256 = "0a30b5557f192f32ab962680889aac5f6fda0f4cecf40a6d0b5694f58ea8cc4d"
SIZE = 228_145  # bytes


class DownloadError(OSError):
    """A download that failed, and why."""


def cache_folder() -> Path:
    """Return the folder in which this system wants downloads to be kept."""
    if sys.platform == "win32":
        base, default = os.environ.get("LOCALAPPDATA"), "AppData/Local"
    elif sys.platform == "darwin":
        base, default = None, "Library/Caches"
    else:
        base, default = os.environ.get("XDG_CACHE_HOME"), ".cache"
    if base and Path(base).is_absolute():
        return Path(base) / "microgpt"
    try:
        return Path.home() / default / "microgpt"
    except RuntimeError:
        raise DownloadError(
            "this user has no home folder to keep names in"
        ) from None


def download_names(
    url: str = URL,
    folder: Path | None = None,
    timeout: float = 30,
    report: Callable[[int], None] = lambda done: None,
) -> Path:
    """Return the path of the original's names, fetched unless they are there already.

    `report` is told how many of the `SIZE` bytes have come. Raise DownloadError, and
    leave nothing in the folder, unless exactly these names come.
    """
    path = (folder or cache_folder()) / "names.txt"
    try:
        if path.exists() and _is_right(path.read_bytes()):
            return path
        content = _fetch(url, timeout, report)
        if not _is_right(content):
            raise DownloadError(
                f"{url} is not the file expected: its SHA-256 differs"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
    except DownloadError:
        raise
    except OSError as error:
        raise DownloadError(
            f"cannot write {path}: {error.strerror}"
        ) from None
    return path


def _is_right(content: bytes) -> bool:
    return hashlib.sha256(content).hexdigest() == SHA256


def _fetch(
    url: str, timeout: float, report: Callable[[int], None]
) -> bytes:
    """Read what is at an address, but not much more than we want of it."""
    content = b""
    try:
        with urllib.request.urlopen(url, timeout=timeout) as response:
            while len(content) <= SIZE and (chunk := response.read(16_384)):
                content += chunk
                report(min(len(content), SIZE))
            left = getattr(response, "length", 0)  # a file has none
            if left and len(content) <= SIZE:
                raise ConnectionError(f"cut after {len(content):,} bytes")
    except urllib.error.HTTPError as error:
        reason = f"{error.code} {error.reason}"
        raise DownloadError(f"cannot fetch {url}: {reason}") from None
    except urllib.error.URLError as error:
        raise DownloadError(f"cannot fetch {url}: {error.reason}") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise DownloadError(f"cannot fetch {url}: {error}") from None
    return content
