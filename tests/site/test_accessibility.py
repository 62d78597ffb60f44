"""Axe finds no fault in what opens on demand; `test_each_page` has all the rest."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, Page

from tests.site.accessibility import SCHEMES, assert_no_fault, show
from tests.site.browsing import SCREENS

OPEN = "all => all.forEach(details => details.open = true)"


@pytest.fixture(params=product(SCREENS, SCHEMES), ids="-".join)
def tab(
    request: pytest.FixtureRequest, browser: Browser, address: str
) -> Iterator[Page]:
    screen, scheme = request.param
    with browser.new_context(viewport=SCREENS[screen]) as context:
        tab = context.new_page()
        tab.goto(f"{address}autograd/backward/", wait_until="networkidle")
        show(tab, scheme)
        yield tab


def test_in_the_search_and_its_results(tab: Page) -> None:
    tab.locator("[for=__search]:visible, .md-search__input:visible").first.click()
    tab.locator(".md-search__output").wait_for()
    assert_no_fault(tab)
    tab.keyboard.type("topological", delay=30)
    tab.locator(".md-search-result__item pre").first.wait_for()
    tab.locator(".md-search-result__more").evaluate_all(OPEN)
    assert_no_fault(tab)


def test_in_what_unfolds(tab: Page) -> None:
    unfolded = tab.locator("article details")
    unfolded.evaluate_all(OPEN)
    unfolded.first.wait_for()
    assert_no_fault(tab)


@pytest.mark.parametrize(
    "tab", product(["phone"], SCHEMES), indirect=True, ids="-".join
)
def test_in_the_navigation_on_a_phone(tab: Page) -> None:
    tab.locator(".md-header [for=__drawer]").click()
    assert_no_fault(tab)
    tab.locator(".md-nav__title:visible", has_text="Autograd").click()
    assert_no_fault(tab)
    tab.locator(".md-nav__link:visible", has_text="Reference").click()
    assert_no_fault(tab)


def test_in_the_schemes_that_a_reader_picks(tab: Page) -> None:
    for _ in range(3):
        tab.locator("[for^=__palette]:visible").click()
        assert_no_fault(tab)
