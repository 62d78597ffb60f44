"""Pages as notebooks, for readers to download: prose, and blocks as cells to run.

They are made whenever the site is built, so that none is older than its page, and lie
with the theme's files, as the archive of `weave.bundle` does. What only the site can
show, a widget or a listing, becomes a sentence that says where it is.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from weave.files import replace
from weave.guide import Guide, address_of
from weave.kinds import fences
from weave.labs import METADATA
from weave.page import Page
from weave.text import COMMENT, DATA, WAIVER

FOLDER = Path("web", "theme", "assets", "notebooks")
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)(?:\{[^}]*\})?")
BOX = re.compile(r'(?:!!!|\?\?\?\+?) (\w+)(?: "(.*)")?$')
NEEDS = "*A page of {}: run it in a checkout, whose README says how to install it.*"
AS_IT_IS = {"console", "mermaid", "python", "session", "text"}  # what Jupyter has


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
    import jupytext  # takes a moment, and only a build needs it
    import nbformat

    text = "\n".join(_lines(guide, guide.read(path), address))
    made = jupytext.reads(text, fmt="md")
    made.cells = [cell for cell in made.cells if cell.source]
    made.metadata, made.nbformat_minor = METADATA, 5
    for place, cell in enumerate(made.cells, 1):
        cell.id, cell.metadata = f"cell-{place}", {}
    return f"{nbformat.writes(made)}\n"


def _lines(guide: Guide, page: Page, address: str) -> Iterator[str]:
    """Yield the lines of a page as Jupyter's Markdown."""

    def to(target: Path, anchor: str = "") -> str:
        place = f"{address.rstrip('/')}/{address_of(target)}"
        return f"{place}#{anchor}" if anchor else place

    def resolved(found: re.Match[str]) -> str:
        text, target = found.groups()
        if not re.match(r"[a-z]+:", target):
            file, _, anchor = target.partition("#")
            path = os.path.normpath(page.path.parent / file) if file else page.path
            target = to(Path(path), anchor) if address else ""
        return f"[{text}]({target})" if target else text

    here = f"[the page]({to(page.path)})" if address else "the page"
    kinds = {kind.line: kind for kind in fences(page)}
    for number, part in page.parts():
        if not isinstance(part, str):
            if part.language in AS_IT_IS:
                yield from ("", f"```{part.language}", *part.body, "```", "")
            else:
                yield from ("", f"*Here {here} has {kinds[number].what}.*", "")
        elif not COMMENT.fullmatch(part):
            line = LINK.sub(resolved, DATA.sub(r"\2", WAIVER.sub(r"\2", part)))
            box = BOX.match(line)
            yield (
                re.sub(r"^    (?=\S)", "> ", line)
                if not box
                else (f"> **{box[2] or box[1].capitalize()}**\n>")
            )
            if part.startswith("# "):
                yield from ("", NEEDS.format(guide.settings["site_name"]), "")
