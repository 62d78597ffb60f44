"""The looks of all pages as one small file: a reader waits for each, and before all else.

Like the archive of `weave.bundle` it lies with the theme's files.
"""

from __future__ import annotations

from pathlib import Path

from rcssmin import cssmin

from weave.files import replace

STYLES = Path("docs", "styles")
# In this order: of two rules that are as exact, the later one counts.
OF_ALL_PAGES = ("tokens", "chrome", "prose", "code", "figures", "reference")
LOOKS = Path("web", "theme", "styles", "guide.css")


def write_looks(root: Path) -> None:
    """Write the file unless it is there already."""
    paths = [root / STYLES / f"{name}.css" for name in OF_ALL_PAGES]
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    replace(root / LOOKS, cssmin(text).encode())
