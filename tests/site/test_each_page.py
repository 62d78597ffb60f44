"""Each page on a phone: errors, layout shifts, size, and accessibility."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest import approx

from tests.built_site import Site
from tests.marks import mark_all_but_first, nightly, thorough
from tests.site.accessibility import (
    COVERED_FOCUS_STOPS_JS,
    NARROW_SIZE,
    OPEN_DETAILS_JS,
    assert_accessible_in_both_schemes,
    assert_forced_colours_work,
    set_colour_scheme,
)
from tests.site.browsing import (
    LAYOUT_SHIFTS_JS,
    OVERFLOW_PX_JS,
    PAGES,
    PHONE_SIZE,
    ZOOMED_DESKTOP_SIZE,
    site_path,
    wait_until_true,
)

# The first page of each folder is opened with every change, and all others each night.
FIRST_PAGES = [*{page.parent: page for page in reversed(PAGES)}.values()]
NIGHTLY_PAGES = [pytest.param(x, marks=nightly) for x in PAGES if x not in FIRST_PAGES]
MAX_PAGE_BYTES = 250_000
# The top, in pixels, of each part of a page that is visible when it opens
VISIBLE_ELEMENT_TOPS_JS = """[...document.querySelectorAll("article > *")]
  .map(each => each.getBoundingClientRect().top).filter(top => top < innerHeight)"""


class MonitoredTab(NamedTuple):
    """A tab, the URLs that its pages request, and their errors."""

    tab: Page
    requested_urls: set[str]
    errors: list[str]


@pytest.fixture(scope="module")
def monitored_tab(browser: Browser, address: str) -> Iterator[MonitoredTab]:
    with browser.new_context(viewport=PHONE_SIZE) as context:
        tab, urls, errors = context.new_page(), set[str](), list[str]()
        tab.goto(address)
        # Load all fonts now: on a busy machine, one might come later
        load_fonts = "Promise.all([...document.fonts].map(x => x.load())).then(() => 1)"
        tab.evaluate(load_fonts)
        context.on("request", lambda request: urls.add(request.url))
        context.on("weberror", lambda event: errors.append(str(event.error)))
        context.on("console", lambda x: errors.extend([x.text] * (x.type == "error")))
        yield MonitoredTab(tab, urls, errors)


@pytest.mark.parametrize(
    "page", [*mark_all_but_first(FIRST_PAGES), *NIGHTLY_PAGES], ids=str
)
def test_page_has_no_errors_shifts_or_accessibility_faults(
    page: Path, monitored_tab: MonitoredTab, address: str, site: Site
) -> None:
    tab, urls, errors = monitored_tab
    tab.goto("about:blank")  # ends requests of the page before
    urls.clear()
    errors.clear()
    tab.goto(address + site_path(page))
    assert tab.evaluate(LAYOUT_SHIFTS_JS) == []
    assert tab.evaluate(OVERFLOW_PX_JS) <= 0
    tab.wait_for_load_state("networkidle")
    sizes = {u: get_transfer_size(site, u) for u in urls if u.startswith(address)}
    assert 0 < sum(sizes.values()) <= MAX_PAGE_BYTES, sizes
    own = (address, "data:", f"blob:{address}")
    assert [url for url in urls if not url.startswith(own)] == []
    assert errors == []
    # All is visible in either colour scheme, in forced colours, and at any size.
    tab.locator("article details").evaluate_all(OPEN_DETAILS_JS)
    assert_accessible_in_both_schemes(tab, "article")
    if tab.locator(".live_gpt").count():  # it trains by itself, then adds a name
        name_link = tab.locator(".live_gpt a[href*=seed]")
        expect(name_link).to_be_visible(timeout=240_000)
    assert_forced_colours_work(tab)
    for screen in (NARROW_SIZE, ZOOMED_DESKTOP_SIZE):
        tab.set_viewport_size(screen)
        assert tab.evaluate(OVERFLOW_PX_JS) <= 0
    assert tab.evaluate(COVERED_FOCUS_STOPS_JS, ".md-content") == []
    set_colour_scheme(tab, "light")
    tab.set_viewport_size(PHONE_SIZE)


def test_page_is_whole_without_scripts(tab_without_scripts: Page, address: str) -> None:
    tab_without_scripts.goto(f"{address}autograd/recap/")
    assert tab_without_scripts.locator("article math").first.is_visible()
    tab_without_scripts.goto(f"{address}autograd/recording/")
    for kind in (".listing", ".cell .output", ".diagram svg", "data"):
        assert tab_without_scripts.locator(f"article {kind}").first.is_visible(), kind
    buttons = tab_without_scripts.locator(".cell button")
    assert buttons.count() > 0
    expect(buttons.filter(visible=True)).to_have_count(0)


@thorough
@pytest.mark.parametrize(
    "page", ["autograd/value/", "efficiency/roofline/", "transformer/forward-pass/"]
)
def test_late_web_fonts_move_no_text(browser: Browser, address: str, page: str) -> None:
    """Fallback fonts are as large as web fonts; a word may move to another line."""
    with browser.new_context(viewport=PHONE_SIZE) as context:
        tab = context.new_page()
        held_routes: list[Route] = []
        tab.route("**/*.woff2", lambda route: held_routes.append(route))
        tab.goto(address + page, wait_until="domcontentloaded")
        wait_until_true(tab, "performance.getEntriesByType('paint').length")
        assert tab.evaluate("document.fonts.status") == "loading"
        before = tab.evaluate(VISIBLE_ELEMENT_TOPS_JS)
        for route in held_routes:
            route.continue_()
        tab.unroute("**/*.woff2")
        wait_until_true(tab, "document.fonts.check('1em Literata')")
        assert len(before) > 2
        assert tab.evaluate(VISIBLE_ELEMENT_TOPS_JS) == approx(before, abs=1.5)


def get_transfer_size(site: Site, url: str) -> int:
    """Return how many bytes a URL of the site takes, compressed where that helps."""
    file = site.folder / unquote(urlsplit(url).path).lstrip("/")
    data = (file / "index.html" if file.is_dir() else file).read_bytes()
    is_compressed = file.suffix in {".woff2", ".png", ".webp"}
    return len(data if is_compressed else gzip.compress(data))
