"""Pages as notebooks, for readers to download: prose, and blocks as cells.

They are made whenever the site is built, so that none is older than its page, and lie
with the theme's files, as the archive of `weave.bundle` does. What only the site can
show, a widget or a picture, becomes a sentence that says where it is.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from weave import labs
from weave.counts import filled
from weave.files import replace
from weave.guide import Guide, address_of
from weave.kinds import fences
from weave.kinds.block import LIBRARIES, Block
from weave.kinds.kind import Cell, To
from weave.page import Page
from weave.text import DATA, WAIVER

FOLDER = Path("web", "theme", "assets", "notebooks")
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)(?:\{[^}]*\})?")
BOX = re.compile(r'(?:!!!|\?\?\?\+?) (\w+)(?: "(.*)")?$')
COMMENT = re.compile(r"<!--.*-->$")


def write_notebooks(guide: Guide) -> None:
    """Write the notebook of every chapter and lab."""
    address = os.environ.get("SITE_URL", "")
    offered = [p for p in [*guide.paths, *guide.labs] if is_offered(guide, p)]
    folder = guide.root / FOLDER
    for path in offered:
        replace(folder / file_name(path), notebook(guide, path, address).encode())
    for file in {*folder.glob("*.ipynb")} - {folder / file_name(p) for p in offered}:
        file.unlink(missing_ok=True)


def is_offered(guide: Guide, path: Path) -> bool:
    """Tell whether a page can be downloaded: chapters and labs can."""
    section = guide.section(path)
    return section is not None and section.step.startswith(("Step", "Labs"))


def file_name(path: Path) -> str:
    """Return the name of a page's notebook: `autograd-value.ipynb`."""
    return "-".join(path.relative_to("docs").with_suffix(".ipynb").parts)


def notebook(guide: Guide, path: Path, address: str = "") -> str:
    """Return a page as a notebook, in Jupyter's format.

    Links lead to the site, if its address is known, and are plain text if not.
    """
    page = guide.read(path)

    def to(target: Path, anchor: str = "") -> str:
        place = f"{address.rstrip('/')}/{address_of(target)}"
        return (f"{place}#{anchor}" if anchor else place) if address else ""

    cells = list(_cells(guide, page, to))
    cells.insert(1, _markdown(_needs(guide, page)))
    for place, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{place}"
    content = {
        "cells": cells,
        "metadata": labs.METADATA,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _cells(guide: Guide, page: Page, to: To) -> Iterator[Cell]:
    prose: list[str] = []
    by_line = {kind.line: kind for kind in fences(page)}
    lines = iter(enumerate(page.lines, 1))

    def so_far() -> Iterator[Cell]:
        if text := "\n".join(prose).strip():
            yield _markdown(text)
        prose.clear()

    for number, line in lines:
        if kind := by_line.get(number):
            for _ in range(kind.fence.end - kind.line):
                next(lines)
            prose.append("")
            for part in kind.cells(guide, to):
                if isinstance(part, str):
                    prose.append(part)
                else:
                    yield from so_far()
                    yield part
            prose.append("")
        elif not COMMENT.match(line):
            prose += _line(page, filled(guide, line), to)
    yield from so_far()


def _needs(guide: Guide, page: Page) -> str:
    """Say of which guide a notebook is a page, and what its cells need."""
    code = "\n".join(block.text for block in Block.on(page))
    section = guide.sections[page.path.relative_to("docs").as_posix()]
    said = f"*A page of {guide.settings['site_name']}: {section.step}.*"
    if re.search(r"\b(snippets|bench)\b", code):
        return f"{said} Its cells use the guide's programs: run it in a checkout."
    extras = [name for name in LIBRARIES if re.search(rf"\b{name}\b", code)]
    extra = f"[{','.join(extras)}]" if extras else ""
    more = " matplotlib" if "matplotlib" in code else ""
    return f"{said} To run it: `pip install 'microgpt-guide{extra}'{more}`"


def _line(page: Page, line: str, to: To) -> list[str]:
    """Return a line of prose as Jupyter's Markdown."""
    line = DATA.sub(r"\2", WAIVER.sub(r"\2", line))
    line = LINK.sub(lambda found: _resolved(page, found, to), line)
    if box := BOX.match(line):
        return [f"> **{box[2] or box[1].capitalize()}**", ">"]
    if line.startswith("    ") and line.strip():
        return [f"> {line[4:]}"]
    return [line]


def _resolved(page: Page, found: re.Match[str], to: To) -> str:
    text, target = found[1], found[2]
    if not re.match(r"[a-z]+:", target):
        file, _, anchor = target.partition("#")
        path = os.path.normpath(page.path.parent / file) if file else page.path
        target = to(Path(path), anchor)
    return f"[{text}]({target})" if target else text


def _markdown(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
