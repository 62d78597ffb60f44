"""Reading names from a file that may hold none."""

from pathlib import Path

from microgpt.data import load_names


class DatasetError(ValueError):
    """A file that cannot be read as names, and why."""


def read_names(path: str | Path | None = None) -> list[str]:
    """Read names as `load_names` does; say in a sentence what is wrong."""
    try:
        names = load_names(path)
    except UnicodeError:
        raise DatasetError(f"{path} is not UTF-8 text") from None
    except ValueError as error:
        raise DatasetError(str(error)) from None
    except OSError as error:
        raise DatasetError(
            f"cannot read {path}: {error.strerror}"
        ) from None
    if "\0" in "".join(names):
        raise DatasetError(f"{path} is not UTF-8 text")
    return names
