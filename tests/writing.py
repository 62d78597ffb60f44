"""Files that a test writes more than once, faster than an author would."""

import os
from itertools import count
from pathlib import Path
from time import time

_seconds = count(int(time()))


def write_with_new_mtime(file: Path, text: str) -> None:
    """Write a file as in a second of its own.

    Python knows whether bytecode is that of a file by the file's second and size.
    """
    file.write_text(text, encoding="utf-8")
    os.utime(file, (second := next(_seconds), second))
