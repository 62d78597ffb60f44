"""The dataset: one name per line."""

import unicodedata
from pathlib import Path


def load_names(path: str | Path | None = None) -> list[str]:
    """Return the lines of a UTF-8 file that are not blank.

    Without a path, read `names.txt`, next to this file.
    """
    default = Path(__file__).with_name("names.txt")
    file = default if path is None else Path(path)
    text = file.read_text(encoding="utf-8").replace("\ufeff", "")
    lines = unicodedata.normalize("NFC", text).split("\n")
    names = [line.strip() for line in lines if line.strip()]
    if names:
        return names
    raise ValueError(f"{file} has no documents: add some, one per line")
