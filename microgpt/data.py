"""The dataset: one name per line."""

import unicodedata
from pathlib import Path


def load_names(path: str | Path | None = None) -> list[str]:
    """Read the lines of a UTF-8 file that are not blank.

    Without a path, read the `names.txt` next to this file.
    """
    own = Path(__file__).with_name("names.txt")
    source = own if path is None else Path(path)
    text = source.read_text(encoding="utf-8").replace("\ufeff", "")
    lines = unicodedata.normalize("NFC", text).split("\n")
    names = [line.strip() for line in lines if line.strip()]
    if not names:
        raise ValueError(f"expected a name per line in {source}, got none")
    return names
