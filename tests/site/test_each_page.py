"""Each page, opened for the first time on a phone and at a desk."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from time import monotonic
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.promises.site import Site
from tests.site.accessibility import (
    COLOURS,
    RULES,
    SCHEMES,
    Scheme,
    assert_no_fault,
    show,
)
from tests.site.browsing import PAGES, SCREENS, path_of

MOST_BYTES = 250_000
MOVED = """() => new Promise(done => {
  const parts = entry => entry.sources.map(source => source.node?.outerHTML);
  const report = list => done(list.getEntries().map(parts));
  new PerformanceObserver(report).observe({type: "layout-shift", buffered: true});
  setTimeout(done, 100, []);
})"""
COMPRESSED = {".woff2", ".png", ".webp"}  # as they are: gzip gains nothing


@dataclass
class Visit:
    """A page on a screen; what the browser asked for, and when; what it reported."""

    tab: Page
    screen: str
    schemes: Sequence[Scheme]
    since: float
    asked: dict[str, float]
    errors: list[str]


@pytest.fixture(
    scope="module", params=product(PAGES, SCREENS), ids=lambda v: f"{v[0]}-{v[1]}"
)
def visit(
    request: pytest.FixtureRequest, browser: Browser, address: str
) -> Iterator[Visit]:
    page, screen = request.param
    asked: dict[str, float] = {}
    errors: list[str] = []
    with browser.new_context(viewport=SCREENS[screen]) as context:
        context.on(
            "request", lambda request: asked.setdefault(request.url, monotonic())
        )
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.on(
            "console",
            lambda said: errors.append(said.text) if said.type == "error" else None,
        )
        tab = context.new_page()
        tab.goto(address + path_of(page), wait_until="networkidle")
        schemes: Sequence[Scheme] = SCHEMES
        if page.match("reference/source/*"):  # all of one make: each scheme once
            schemes = ("light",) if screen == "desk" else ("dark",)
        yield Visit(tab, screen, schemes, monotonic(), asked, errors)


# The first of all, because the others use the page, which then begins to keep itself.
def test_a_first_load_weighs_at_most_250_kb(
    visit: Visit, address: str, site: Site
) -> None:
    if visit.screen == "desk":
        pytest.skip("the files are those that a phone loads")
    # What the browser asks for when it is idle counts, not what it fetches for
    # reading offline when the page has been in use for a while.
    end = visit.since + 2
    visit.tab.wait_for_timeout(max(0, 1000 * (end - monotonic())))
    first = [url for url, time in visit.asked.items() if time <= end]
    own = {url for url in first if url.startswith(address)}
    sizes = {url: weight(file_of(site, url)) for url in own}
    total = sum(sizes.values())
    table = [
        f"{size:8,} {url.removeprefix(address)}"
        for url, size in sorted(sizes.items(), key=lambda item: -item[1])
    ]
    assert total <= MOST_BYTES, "\n".join([f"{total:8,} bytes in all:", *table])


def test_a_page_is_no_wider_than_the_screen(visit: Visit) -> None:
    too_wide = "document.documentElement.scrollWidth - innerWidth"
    assert visit.tab.evaluate(too_wide) <= 0


def test_nothing_moves_while_a_page_loads(visit: Visit) -> None:
    assert visit.tab.evaluate(MOVED) == []


def test_axe_finds_no_fault(visit: Visit) -> None:
    rules = RULES
    for scheme in visit.schemes:
        show(visit.tab, scheme)
        assert_no_fault(visit.tab, rules)
        rules = COLOURS


def test_a_page_asks_nobody_else(visit: Visit, address: str) -> None:
    assert visit.asked
    own = (address, "data:", f"blob:{address}")
    assert [url for url in visit.asked if not url.startswith(own)] == []


def test_a_page_reports_no_error(visit: Visit) -> None:
    assert visit.errors == []


def file_of(site: Site, url: str) -> Path:
    """Return the file that a web server sends for a URL."""
    file = site.folder / unquote(urlsplit(url).path).lstrip("/")
    return file / "index.html" if file.is_dir() else file


@cache
def weight(file: Path) -> int:
    """Return how many bytes of a file travel."""
    data = file.read_bytes()
    return len(data if file.suffix in COMPRESSED else gzip.compress(data, 9))
