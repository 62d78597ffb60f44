"""What MkDocs does for the site that Zensical, which has no hooks, leaves out.

Looks are sent as one small file; labs are shown.

mkdocs-jupyter makes a page of a notebook. Its own way to render one would bring the
looks of JupyterLab, which weigh more than all else on a page; here a lab becomes the
Markdown of a page, and HTML as every other page does.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from rcssmin import cssmin

from weave.guide import Guide

LOOKS = "styles/guide.css"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Join the looks of all pages: a reader waits for each file, and before all else."""
    for style in files.css_files():
        if style.src_uri.startswith("styles/"):
            style.content_string = cssmin(style.content_string)
    joined = [files.src_uris[path] for path in config.extra_css]
    text = "".join(file.content_string for file in joined)
    for file in joined:
        files.remove(file)
    files.append(File.generated(config, LOOKS, content=text))
    config.extra_css = [LOOKS]
    return files


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
