"""Pages as notebooks, for readers to download: prose, and blocks as cells.

They are made whenever the site is built, so that none is older than its page, and lie
with the theme's files, as the archive of `weave.bundle` does. What only the site can
show, a widget or a plot, becomes a sentence that says where it is.
"""

import json
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from weave import labs
from weave.counts import filled
from weave.files import State, replace, state
from weave.guide import Guide, address_of
from weave.kinds import fences
from weave.kinds.block import LIBRARIES, Block, Output
from weave.kinds.figure import Figure
from weave.kinds.kind import Cell, To
from weave.page import Page
from weave.text import DATA, WAIVER

FOLDER = Path("web", "theme", "assets", "notebooks")
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)(?:\{[^}]*\})?")
BOX = re.compile(r'(?:!!!|\?\?\?\+?) (\w+)(?: "(.*)")?$')
COMMENT = re.compile(r"<!--.*-->$")
FENCE = re.compile(r"^```\w+\n.*?^```$", re.DOTALL | re.MULTILINE)

# Each notebook, and what it was made of: a save changes one page, or all.
_made: dict[str, tuple[object, bytes]] = {}


def write_notebooks(root: Path) -> None:
    """Write the notebook of every chapter and lab, where they changed."""
    read = state(root, "mkdocs.yml", "docs", "microgpt", "snippets")
    _write(root, read, os.environ.get("SITE_URL", ""))


@lru_cache(maxsize=2)  # every page of a build asks
def _write(root: Path, state: State, address: str) -> None:
    guide = Guide(root)
    wanted = {
        file_name(path): path
        for path in [*guide.paths, *guide.labs]
        if is_offered(guide, path)
    }
    docs = str(root / "docs")
    around = [each for each in state if not each[0].startswith(docs)], address
    for name, path in wanted.items():
        of = guide.text(path), around
        if name not in _made or _made[name][0] != of:
            _made[name] = of, notebook(guide, path, address).encode()
        replace(root / FOLDER / name, _made[name][1])
    for file in (root / FOLDER).glob("*.ipynb"):
        if file.name not in wanted:
            file.unlink()


def is_offered(guide: Guide, path: Path) -> bool:
    """Tell whether a page can be downloaded: chapters and labs can."""
    section = guide.sections.get(path.relative_to("docs").as_posix())
    return section is not None and section.step.startswith(("Step", "Labs"))


def file_name(path: Path) -> str:
    """Return the name of a page's notebook: `autograd-value.ipynb`."""
    return "-".join(path.relative_to("docs").with_suffix(".ipynb").parts)


def notebook(guide: Guide, path: Path, address: str = "") -> str:
    """Return a page as a notebook, in Jupyter's format.

    Links lead to the site, if its address is known, and are plain text if not.
    """
    page = guide.read(path)
    if path in guide.labs:
        cells = _lab(guide, page, address)
    else:
        cells = list(_chapter(guide, page, address))
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


def _lab(guide: Guide, page: Page, address: str) -> list[Cell]:
    cells: list[Cell] = guide.notebook(page.path)["cells"]
    made_of_cells = (Block, Output, Figure)
    others = (kind for kind in fences(page) if not isinstance(kind, made_of_cells))
    to = _to(address)

    def shown_there(_: re.Match[str]) -> str:
        return "\n".join(map(str, next(others).cells(guide, to)))

    for cell in cells:
        if cell["cell_type"] == "markdown":
            lines = FENCE.sub(shown_there, "".join(cell["source"])).splitlines()
            shown = [each for line in lines for each in _line(page, line, address)]
            cell["source"] = _lines("\n".join(shown))
    return cells


def _to(address: str) -> To:
    def to(target: Path, anchor: str = "") -> str:
        if not address:
            return ""
        place = f"{address.rstrip('/')}/{address_of(target)}"
        return f"{place}#{anchor}" if anchor else place

    return to


def _chapter(guide: Guide, page: Page, address: str) -> Iterator[Cell]:
    prose: list[str] = []
    by_line = {kind.line: kind for kind in fences(page)}
    lines = iter(enumerate(page.lines, 1))

    def so_far() -> Iterator[Cell]:
        if text := "\n".join(prose).strip():
            yield _markdown(text)
        prose.clear()

    to = _to(address)
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
            prose += _line(page, filled(guide, line), address)
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


def _line(page: Page, line: str, address: str) -> list[str]:
    """Return a line of prose as Jupyter's Markdown."""
    line = WAIVER.sub(r"\2", line)
    line = DATA.sub(r"\2", line)
    line = LINK.sub(lambda found: _resolved(page, found, address), line)
    if box := BOX.match(line):
        return [f"> **{box[2] or box[1].capitalize()}**", ">"]
    if line.startswith("    ") and line.strip():
        return [f"> {line[4:]}"]
    return [line]


def _resolved(page: Page, found: re.Match[str], address: str) -> str:
    text, target = found[1], found[2]
    if re.match(r"[a-z]+:", target):
        return f"[{text}]({target})"
    file, _, anchor = target.partition("#")
    path = Path(os.path.normpath(page.path.parent / file)) if file else page.path
    return _link(text, path, address, anchor)


def _link(text: str, path: Path, address: str, anchor: str = "") -> str:
    if not address:
        return text
    place = f"{address.rstrip('/')}/{address_of(path)}"
    return f"[{text}]({place}{f'#{anchor}' if anchor else ''})"


def _markdown(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
