"""MkDocs hooks: they write a build's inputs, show labs and rank what the search finds.

Zensical has no hooks or plug-ins: `python -m weave publish` comes first, the pages are the
same but for labs, and the search is Zensical's own.

mkdocs-jupyter makes a page of a notebook. Its own rendering would bring the styles of
JupyterLab, which weigh more than all else on a page; here a lab becomes the Markdown of a
page, and HTML as every other page does.
"""

from html import escape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from weave.errors import WeaveError
from weave.guide import Guide
from weave.publish.before_build import write_build_inputs
from weave.publish.offline import write_service_worker
from weave.publish.search_index import first_paragraph, weight_entries

build_mode = {"previewing": False}  # True under `mkdocs serve`


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether an author previews pages while writing them."""
    build_mode["previewing"] = command == "serve"


def on_pre_build(config: MkDocsConfig) -> None:
    """Write the inputs of the build, and hand the guide to the Markdown extension."""
    root = Path(config.config_file_path).parent
    guide = write_build_inputs(root, previewing=build_mode["previewing"])
    config.mdx_configs["weave"] = {"guide": guide}


def _get_guide(config: MkDocsConfig) -> Guide:
    guide: Guide = config.mdx_configs["weave"]["guide"]
    return guide


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Let MkDocs render labs, in place of mkdocs-jupyter's own method."""
    vars(page).pop("render", None)
    return page


def on_page_read_source(page: Page, config: MkDocsConfig) -> str | None:
    """Return a lab as the Markdown of a page; None lets MkDocs read any other page."""
    guide, path = _get_guide(config), Path("docs", page.file.src_uri)
    return "\n".join(guide.read_page(path).lines) if path in guide.lab_paths else None


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> None:
    """Tell the extension which page it is about to render, and describe the page."""
    path = Path("docs", page.file.src_uri)
    config.mdx_configs["weave"]["page"] = path
    description = first_paragraph(_get_guide(config).read_page(path))
    page.meta["description"] = escape(description)


@event_priority(100)  # before the plug-in writes its index
def _weight_search_entries(config: MkDocsConfig) -> None:
    """Let the search find explanations before code."""
    search: Any = config.plugins["material/search"]
    entries: list[dict[str, Any]] = search.search_index.entries
    entries[:] = weight_entries(entries, _get_guide(config))


@event_priority(-100)  # once all files of the site are written
def _write_service_worker(config: MkDocsConfig) -> None:
    """Put into the site the worker that keeps it on readers' devices."""
    site, root = Path(config.site_dir), _get_guide(config).root
    write_service_worker(root, site, previewing=build_mode["previewing"])


on_post_build = CombinedEvent(_weight_search_entries, _write_service_worker)


def on_build_error(error: Exception) -> None:
    """Report an author's mistake in one sentence, and any other error with a traceback.

    Raises:
        Abort: The mistake is in a page, or a file cannot be read or written.
    """
    if isinstance(error, WeaveError | OSError):
        raise Abort(str(error))
