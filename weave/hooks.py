"""What MkDocs needs to show labs; Zensical, which has no plugins, shows none.

mkdocs-jupyter makes a page of a notebook. Its own template would bring the looks of
JupyterLab, heavier than all else on a page; ours writes Markdown, which becomes HTML as
that of every other page does.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs_jupyter.config import settings
from nbconvert.exporters.templateexporter import default_filters

from weave import labs

LAB = ".ipynb"


def on_config(config: MkDocsConfig) -> None:
    """Let nbconvert use our template."""
    settings.templates_dir = str(Path(__file__).with_name("templates"))
    default_filters["as_markdown"] = lambda nb: labs.as_markdown(nb, Path("docs/labs"))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Render what our template wrote; leave pages that are Markdown alone."""
    if Path(page.file.src_uri).suffix != LAB:
        return html
    # mkdocs-jupyter adds a style sheet of its own behind what a template gives.
    page.markdown = html.rpartition("<style>")[0].rstrip()
    Page.render(page, config, files)
    return page.content or ""
