"""The dataset: one name per line."""

from __future__ import annotations

from pathlib import Path


class DatasetError(ValueError):
    """A dataset that cannot be used, and why."""


def load_names(path: str | Path | None = None) -> list[str]:
    """Read the lines of a UTF-8 file that are not blank.

    Without a path, read the `names.txt` that lies beside this program.
    """
    source = Path(path or Path(__file__).with_name("names.txt"))
    try:
        text = source.read_text(encoding="utf-8-sig")
        if "\0" in text:
            raise UnicodeError
    except UnicodeError:
        raise DatasetError(f"{source} is not UTF-8 text") from None
    except OSError as error:
        raise DatasetError(
            f"cannot read {source}: {error.strerror}"
        ) from None
    names = [line.strip() for line in text.splitlines() if line.strip()]
    if not names:
        raise DatasetError(f"{source} holds no names")
    return names
