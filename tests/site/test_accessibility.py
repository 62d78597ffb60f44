"""Nothing keeps a reader out: each kind of element, and what opens on demand."""

from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import made_once
from tests.promises.site import Site
from tests.site.accessibility import (
    COLOURS,
    COVERED,
    OPEN,
    assert_faultless,
    assert_forced_colours_are_kept,
    assert_no_fault,
    show,
)
from tests.site.browsing import PHONE, SCREENS, TOO_WIDE, ZOOMED, wait_for
from tests.site.samples import framed, samples, show_page
from tests.thorough import nightly, one_of_each, thorough

# Frames that are stops without need, or none in need, or have no name
ODD_FRAMES = """() => Array.from(document.querySelectorAll("article *")).filter(each => {
  const {overflowX, overflowY} = getComputedStyle(each);
  const frame = /auto|scroll/.test(overflowX + overflowY) && each.checkVisibility();
  if (!frame) return false;
  const wide = each.scrollWidth > each.clientWidth + 1;
  const scrolls = wide || each.scrollHeight > each.clientHeight + 1;
  const named = each.matches("[tabindex='0'][role][aria-label]");
  const within = each.querySelector("a, button, input, textarea, [contenteditable]");
  return scrolls ? !named && !within : each.hasAttribute("tabindex");
}).map(each => each.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def every_kind(
    browser: Browser, request: pytest.FixtureRequest, site: Site, address: str
) -> Iterator[Page]:
    """A page that has each kind of element, all that unfolds unfolded."""
    with made_once(request, "samples") as (folder, missing):
        kept = folder / "samples.html"
        if missing:
            folder.mkdir()
            kept.write_text(samples(site), encoding="utf-8")
    parts = kept.read_text(encoding="utf-8")
    with browser.new_context(viewport=PHONE, bypass_csp=True) as context:
        tab = context.new_page()
        show_page(tab, address, framed(site, f"<h1>All</h1>{parts}"))
        tab.locator("article details").evaluate_all(OPEN)
        yield tab


@thorough
def test_axe_finds_no_fault_in_any_kind_of_element(every_kind: Page) -> None:
    assert every_kind.evaluate(TOO_WIDE) <= 0
    names = ["landmark-unique"]  # which no page has twice
    assert_no_fault(every_kind, within="article", without=names)
    show(every_kind, "dark")
    assert_no_fault(every_kind, COLOURS, "article")
    every_kind.set_viewport_size(SCREENS["desk"])
    assert_no_fault(every_kind, COLOURS)
    show(every_kind, "light")


@thorough
def test_what_scrolls_and_nothing_else_is_a_stop_with_a_name(every_kind: Page) -> None:
    stops = set()
    for screen in SCREENS.values():
        every_kind.set_viewport_size(screen)
        wait_for(every_kind, f"() => !({ODD_FRAMES})().length")
        stops.add(every_kind.locator("article :not(a)[tabindex='0']").count())
    assert len(stops) == len(SCREENS)


@thorough
def test_at_twice_the_size_nothing_is_too_wide_or_covers_the_focus(
    every_kind: Page,
) -> None:
    every_kind.set_viewport_size(ZOOMED)
    assert every_kind.evaluate(TOO_WIDE) <= 0
    assert every_kind.evaluate(COVERED) == []


@nightly  # widgets are looked at in them with every change
def test_in_colours_that_a_reader_forces_on_all(every_kind: Page) -> None:
    every_kind.set_viewport_size(SCREENS["desk"])
    assert_forced_colours_are_kept(every_kind)


# The tests share a page, and leave nothing open that covers the rest.
@pytest.fixture(scope="module")
def tab(browser: Browser, address: str) -> Iterator[Page]:
    with browser.new_context(viewport=PHONE) as context:
        tab = context.new_page()
        tab.goto(f"{address}autograd/backward/")
        yield tab


@thorough
@pytest.mark.parametrize("screen", one_of_each(SCREENS))
def test_in_the_search_and_its_results(tab: Page, screen: str) -> None:
    tab.set_viewport_size(SCREENS[screen])
    tab.locator("[for=__search]:visible, .md-search__input:visible").first.click()
    tab.locator(".md-search__output").wait_for()
    # What was looked for on another screen stands there still.
    tab.locator(".md-search__input").fill("")
    assert_faultless(tab, ".md-search")
    tab.keyboard.type("topological", delay=30)
    tab.locator(".md-search-result__item a").first.wait_for()
    tab.locator(".md-search-result__more").evaluate_all(OPEN)
    assert_faultless(tab, ".md-search")
    tab.keyboard.press("Escape")
    tab.locator("#__search:not(:checked)").wait_for(state="attached")
    # On a phone, the page cannot be scrolled until a moment later.
    tab.locator("body:not([data-md-scrolllock])").wait_for()
    tab.set_viewport_size(PHONE)


@thorough
def test_in_the_navigation_on_a_phone(tab: Page) -> None:
    tab.reload()
    tab.locator(".md-header [for=__drawer]").click()
    tab.locator(".md-nav__title:visible", has_text="Autograd").click()
    assert_faultless(tab, ".md-sidebar--primary")
    tab.locator(".md-nav__link:visible", has_text="Reference").click()
    assert_faultless(tab, ".md-sidebar--primary")
    tab.reload()


@pytest.mark.parametrize("scripts", [True, False])
def test_keys_open_the_navigation_of_small_screens(
    browser: Browser, address: str, scripts: bool
) -> None:
    """At 200% a desk has the navigation of a phone, and it is closed until a key opens it."""
    with browser.new_context(
        viewport=ZOOMED, reduced_motion="reduce", java_script_enabled=scripts
    ) as context:
        tab = context.new_page()
        tab.goto(f"{address}autograd/backward/")
        menu = tab.locator(".md-sidebar--primary")
        expect(menu).not_to_be_in_viewport()
        link = partial(menu.get_by_role, "link", exact=True)
        link(name="In ten minutes").focus()
        tab.keyboard.press("Tab")
        expect(link(name="Value")).to_be_focused()
        expect(menu).to_be_in_viewport(ratio=1)
        expect(link(name="Value")).to_be_in_viewport(ratio=1)
        tab.locator("h1").click()
        expect(menu).not_to_be_in_viewport()
