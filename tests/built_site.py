"""A built site: its pages, with their sources and parsed HTML."""

import gc
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import lxml.html
from bs4 import BeautifulSoup, Tag

from weave.guide import Guide, url_path
from weave.page import Page

# Everything that pages store in a reader's browser, besides the guide for offline reading
LOCAL_STORAGE_KEYS = {
    "guide:scheme": "the colour scheme that the reader has picked",
    "guide:reading": "which pages have been read to their end, and the last one opened",
    "guide:run": "the model that the reader trained last, for use on other pages",
    "guide:keys": "that single-key shortcuts are turned off",
    "guide:offline": "why nothing is saved offline: a reader removed it, or no room",
    "guide:block:${originalCode}": "the code that the reader has put into a block",
}


@dataclass
class SitePage:
    """A built page: its source, its HTML file, and the parsed HTML."""

    source: Page
    file: Path

    @cached_property
    def tree(self) -> lxml.html.HtmlElement:
        """The whole page, parsed by lxml, which is ten times as fast as BeautifulSoup."""
        return lxml.html.fromstring(self.file.read_text("utf-8"))

    @cached_property
    def article(self) -> Tag:
        """The article alone, parsed by BeautifulSoup; the rest of a page is longer."""
        _, opening, rest = self.file.read_text("utf-8").partition("<article")
        inside, closing, after = rest.rpartition("</article>")
        assert opening and closing and opening not in after, self.file
        article = parse_html(f"{opening}{inside}{closing}").select_one("article")
        assert article is not None, f"{self.file} has no article"
        return article


def parse_html(html: str) -> BeautifulSoup:
    """Parse HTML with garbage collection paused, which makes it faster."""
    gc.disable()
    try:
        return BeautifulSoup(html, "lxml")
    finally:
        gc.freeze()
        gc.enable()


@dataclass
class Site:
    """A built site."""

    folder: Path
    pages: list[SitePage]


def list_built_pages(folder: Path, guide: Guide) -> list[SitePage]:
    """Return the guide's pages with their HTML files in the folder of a built site."""
    pages = {folder / url_path(path): page for path, page in guide.pages.items()}
    return [SitePage(page, file / "index.html") for file, page in pages.items()]
