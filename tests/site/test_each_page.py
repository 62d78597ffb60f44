"""Each page, opened on a phone; how elements look, `test_accessibility` sees on one page."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.promises.site import Site
from tests.site.accessibility import LOOKS, assert_no_fault
from tests.site.browsing import PAGES, PHONE, TOO_WIDE, path_of
from tests.thorough import nightly, one_of_each

# The first page of each folder is opened with every change, and all others each night.
FIRST = [*{page.parent: page for page in reversed(PAGES)}.values()]
OTHERS = [pytest.param(page, marks=nightly) for page in PAGES if page not in FIRST]
MOST_BYTES, MOST_OF_A_LAB = 250_000, 150_000
MOVED = """() => new Promise(done => {
  const parts = entry => entry.sources.map(source => source.node?.outerHTML);
  const report = list => done(list.getEntries().map(parts));
  new PerformanceObserver(report).observe({type: "layout-shift", buffered: true});
  setTimeout(done, 100, []);
})"""
COMPRESSED = {".woff2", ".png", ".webp"}  # as they are: gzip gains nothing


@dataclass
class Visitor:
    """A reader in one tab; what the browser asked for, and what it reported."""

    tab: Page
    asked: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[Visitor]:
    with browser.new_context(viewport=PHONE) as context:
        visitor = Visitor(context.new_page())
        # Each page is the first: nothing of the others is left in the browser's memory.
        session = context.new_cdp_session(visitor.tab)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        context.on("request", lambda request: visitor.asked.add(request.url))
        context.on("weberror", lambda error: visitor.errors.append(str(error.error)))
        context.on(
            "console",
            lambda said: (
                visitor.errors.append(said.text) if said.type == "error" else None
            ),
        )
        yield visitor


@pytest.mark.parametrize("page", [*one_of_each(FIRST), *OTHERS], ids=str)
def test_a_page_is_sound(
    page: Path, visitor: Visitor, address: str, site: Site
) -> None:
    tab = visitor.tab
    tab.goto("about:blank")  # the page before may still ask for something
    visitor.asked.clear()
    visitor.errors.clear()
    for _ in range(2):  # a busy machine may hold a font back once
        tab.goto(address + path_of(page))
        moved = tab.evaluate(MOVED)
        if not moved:
            break
    assert moved == []
    assert tab.evaluate(TOO_WIDE) <= 0
    assert_no_fault(tab, within="article", without=LOOKS)
    tab.wait_for_load_state("networkidle")
    total, table = first_load(site, visitor.asked, address)
    assert total <= (MOST_OF_A_LAB if page.match("labs/*") else MOST_BYTES), table
    own = (address, "data:", f"blob:{address}")
    assert [url for url in visitor.asked if not url.startswith(own)] == []
    assert visitor.errors == []


def first_load(site: Site, asked: set[str], address: str) -> tuple[int, list[str]]:
    """Return how many bytes a page's first load takes, and each file's share."""
    sizes = {
        url: weight(file_of(site, url)) for url in asked if url.startswith(address)
    }
    table = [
        f"{size:8,} {url.removeprefix(address)}"
        for url, size in sorted(sizes.items(), key=lambda item: -item[1])
    ]
    total = sum(sizes.values())
    assert total, "the browser was asked for nothing"
    return total, [f"{total:8,} bytes in all:", *table]


def file_of(site: Site, url: str) -> Path:
    """Return the file that a web server sends for a URL."""
    file = site.folder / unquote(urlsplit(url).path).lstrip("/")
    return file / "index.html" if file.is_dir() else file


@cache
def weight(file: Path) -> int:
    """Return how many bytes of a file travel."""
    data = file.read_bytes()
    return len(data if file.suffix in COMPRESSED else gzip.compress(data, 9))
