"""What MkDocs does beyond what Zensical, which has neither plugins nor hooks, can do.

It shows labs, and at once what an author saves. Zensical builds the same pages, without
labs.

mkdocs-jupyter makes a page of a notebook. Its own way to render one would bring the
looks of JupyterLab, which weigh more than all else on a page; here a lab becomes the
Markdown of a page, and HTML as every other page does.
"""

from functools import partial
from pathlib import Path
from typing import Literal

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from weave import files as on_disk
from weave.errors import WeaveError
from weave.extension import ROOT, current_guide
from weave.preview import Preview

preview: Preview | None = None


def on_startup(command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
    """Keep what a preview builds; `--dirty` has its own way not to build all."""
    global preview
    preview = Preview(ROOT) if command == "serve" and not dirty else None


def on_pre_build(config: MkDocsConfig) -> None:
    """Build one state of the guide, though its author goes on writing."""
    on_disk.hold()
    if preview:
        preview.on_pre_build()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Find out what the last build made that this one can use."""
    if preview:
        preview.on_files(current_guide(), config, files)
    return files


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Render a lab as MkDocs does, not as mkdocs-jupyter has asked for."""
    vars(page).pop("render", None)
    if preview:
        vars(page)["render"] = partial(preview.render, page, current_guide())
    return page


def on_page_read_source(page: Page, config: MkDocsConfig) -> str | None:
    """Return what a page says; that of a lab is found in its notebook."""
    guide, path = current_guide(), Path("docs", page.file.src_uri)
    known = path in guide.pages or path in guide.labs
    return guide.markdown(path) if known else None


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    """Take the HTML of pages that would be the same."""
    if preview:
        preview.on_env(env, files)
    return env


@event_priority(100)
def _before_search(
    context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation
) -> TemplateContext:
    if preview:
        preview.before_search(page, config)
    return context


@event_priority(-100)
def _after_search(
    context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation
) -> TemplateContext:
    kept = preview and preview.after_search(page, config)
    return {**context, "kept": kept} if kept else context  # type: ignore[typeddict-unknown-key]


on_page_context = CombinedEvent(_before_search, _after_search)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Keep the HTML of a page."""
    if preview:
        preview.on_post_page(output, page)
    return output


def on_post_build(config: MkDocsConfig) -> None:
    """See again what the author writes."""
    on_disk.release()
    if preview:
        preview.on_post_build()


def on_build_error(error: Exception) -> None:
    """Say what is wrong in one sentence, as `mkdocs build` does, and not in a traceback."""
    on_disk.release()
    if preview and isinstance(error, WeaveError):
        raise Abort(str(error))
