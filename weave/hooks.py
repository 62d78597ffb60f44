"""What MkDocs does beyond what Zensical, which has neither plugins nor hooks, can do.

It shows labs, and ranks what the search finds. Zensical builds the same pages, without
labs, and has a search of its own.

mkdocs-jupyter makes a page of a notebook. Its own way to render one would bring the
looks of JupyterLab, which weigh more than all else on a page; here a lab becomes the
Markdown of a page, and HTML as every other page does.
"""

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from weave import files as on_disk
from weave.errors import WeaveError
from weave.extension import current_guide
from weave.publish.search import searchable

SEARCH = "material/search"


def on_pre_build(config: MkDocsConfig) -> None:
    """Build one state of the guide, though its author goes on writing."""
    on_disk.hold()


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Render a lab as MkDocs does, not as mkdocs-jupyter has asked for."""
    vars(page).pop("render", None)
    return page


def on_page_read_source(page: Page, config: MkDocsConfig) -> str | None:
    """Return what a page says; that of a lab is found in its notebook."""
    guide, path = current_guide(), Path("docs", page.file.src_uri)
    known = path in guide.pages or path in guide.labs
    return "\n".join(guide.read(path).lines) if known else None


@event_priority(100)  # before the plugin writes its index
def on_post_build(config: MkDocsConfig) -> None:
    """Let the search find explanations first; see again what the author writes."""
    search: Any = config.plugins[SEARCH]
    entries: list[dict[str, Any]] = search.search_index.entries
    entries[:] = searchable(entries, current_guide())
    on_disk.release()


def on_build_error(error: Exception) -> None:
    """Say what is wrong in one sentence, also after a save, and not in a traceback."""
    on_disk.release()
    if isinstance(error, WeaveError | OSError):  # such as of a file that is gone
        raise Abort(str(error))
