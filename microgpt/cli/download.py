"""The names that the original trains on, fetched from their public home."""

import hashlib
import http.client
import urllib.request
from pathlib import Path

from microgpt.cli.files import failure_named, write_atomically
from microgpt.engines.compiler import cache_folder

URL = (
    "https://raw.githubusercontent.com/karpathy/makemore/988aa59/names.txt"
)
SHA256 = "0a30b5557f192f32ab962680889aac5f6fda0f4cecf40a6d0b5694f58ea8cc4d"
SIZE = 228_145  # bytes
PATIENCE = 30  # seconds


def download_names() -> Path:
    """Return the path of the original's names, fetched unless they are there already.

    Raise an OSError, and leave nothing in the folder, unless exactly these names come.
    """
    try:
        path = cache_folder() / "names.txt"
    except RuntimeError:
        raise OSError(
            "this user has no home folder to keep names in"
        ) from None
    if path.is_file() and _is_right(path.read_bytes()):
        return path
    content = _fetch()
    if not _is_right(content):
        raise OSError(
            f"{URL} is not the file expected: its SHA-256 differs"
        )
    with failure_named("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, content)
    return path


def _is_right(content: bytes) -> bool:
    return hashlib.sha256(content).hexdigest() == SHA256


def _fetch() -> bytes:
    """Read what is at the address, but not much more than we want of it."""
    try:
        with urllib.request.urlopen(URL, timeout=PATIENCE) as response:
            content: bytes = response.read(SIZE + 1)
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise OSError(f"cannot fetch {URL}: {reason}") from None
    return content
