"""Reading names from a file that may hold none."""

from pathlib import Path

from microgpt.cli.files import failure_named
from microgpt.data import load_names


def read_names(path: str | Path | None = None) -> list[str]:
    """Read names as `load_names` does; say in a sentence what is wrong."""
    try:
        with failure_named("read", path):
            names = load_names(path)
    except UnicodeError:
        names = []
    if not names or "\0" in "".join(names):
        raise ValueError(f"{path} is not UTF-8 text")
    return names
