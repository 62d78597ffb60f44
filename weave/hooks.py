"""What MkDocs needs to show labs; Zensical, which has no plugins, shows none.

mkdocs-jupyter makes a page of a notebook. Its own way to render one would bring the
looks of JupyterLab, which weigh more than all else on a page; here a lab becomes the
Markdown of a page, and HTML as every other page does.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from weave.guide import Guide


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Render a lab as MkDocs does, not as mkdocs-jupyter has asked for."""
    vars(page).pop("render", None)
    return page


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    """Return what a page says; that of a lab is found in its notebook."""
    path = Path("docs", page.file.src_uri)
    if path.suffix != ".ipynb":
        return markdown
    return "\n".join(Guide(Path(config.docs_dir).parent).read(path).lines)
