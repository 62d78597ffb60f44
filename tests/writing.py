"""Write files that Python imports again within a second."""

import os
from itertools import count
from pathlib import Path
from time import time

_seconds = count(int(time()))


def write_with_new_mtime(file: Path, text: str) -> None:
    """Write a file with a modification time that no earlier write has used.

    Python decides by the file's time, in seconds, and size whether bytecode is stale.
    """
    file.write_text(text, encoding="utf-8")
    os.utime(file, (second := next(_seconds), second))
