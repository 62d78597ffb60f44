"""What readers do on the site, with a mouse, by keyboard and without scripts."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.site.browsing import MOVES, PHONE, wait_for
from tests.thorough import thorough


def test_a_page_is_whole_without_scripts(without_scripts: Page, address: str) -> None:
    without_scripts.goto(f"{address}autograd/recording/")
    for kind in (".listing", ".cell .output", ".diagram svg", "math", "data"):
        assert without_scripts.locator(f"article {kind}").first.is_visible(), kind
    buttons = without_scripts.locator(".cell button")
    assert buttons.count() > 0
    expect(buttons.filter(visible=True)).to_have_count(0)


def test_the_keyboard_reaches_content_search_and_the_next_page(
    reader: Page, address: str
) -> None:
    asked: list[str] = []
    reader.on("request", lambda request: asked.append(request.url))
    reader.goto(f"{address}autograd/value/", wait_until="networkidle")
    reader.keyboard.press("Tab")
    assert "md-skip" in reader.evaluate("document.activeElement.className")
    # The index of the search waits until somebody searches.
    assert not [url for url in asked if "search_index" in url]
    reader.keyboard.press("/")
    reader.locator("#__search:checked").wait_for(state="attached")
    reader.keyboard.type("Value.__add__", delay=30)
    found = reader.locator(".md-search-result__item a").first
    expect(found).to_have_attribute("href", re.compile("autograd/recording/"))
    assert sum("search_index" in url for url in asked) == 1
    reader.keyboard.press("Escape")
    reader.locator(".md-footer__link--next").focus()
    reader.keyboard.press("Enter")
    reader.wait_for_url("**/autograd/recording/")
    # What led to a page is marked there.
    reader.goto(f"{address}autograd/order/?h=topological")
    reader.locator("article mark").first.wait_for(state="attached")


def test_the_recap_sheet_prints_on_four_pages(browser: Browser, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}reference/recap-sheet/")
    sheets = re.findall(rb"/Type\s*/Page\b", tab.pdf(format="A4"))
    assert 1 < len(sheets) <= 4
    tab.close()


@thorough
@pytest.mark.parametrize(
    "page", ["autograd/value/", "efficiency/roofline/", "transformer/forward-pass/"]
)
def test_text_stays_where_it_is_when_its_faces_come_late(
    browser: Browser, address: str, page: str
) -> None:
    """What stands in for them is as wide and as high; a word may change its line."""
    with browser.new_context(viewport=PHONE) as context:
        tab = context.new_page()
        held: list[Route] = []
        tab.route("**/*.woff2", lambda route: held.append(route))
        tab.goto(address + page, wait_until="domcontentloaded")
        wait_for(tab, "performance.getEntriesByType('paint').length")
        assert tab.evaluate("document.fonts.status") == "loading"
        for route in held:
            route.continue_()
        tab.unroute("**/*.woff2")
        wait_for(tab, "document.fonts.check('1em Literata')")
        assert sum(far for far, _ in tab.evaluate(MOVES)) < 0.05


def test_the_table_of_contents_marks_what_it_led_to(reader: Page, address: str) -> None:
    reader.goto(f"{address}counting/loss/")
    contents = reader.locator(".md-sidebar--secondary .md-nav__list")
    for link in contents.get_by_role("link").all():
        link.click()
        marked = contents.locator(".md-nav__link--active").last
        expect(marked).to_have_text(link.inner_text())
