"""Axe finds no fault in what opens on demand; `test_each_page` has all the rest."""

from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.accessibility import (
    COLOURS,
    COVERED,
    assert_faultless,
    assert_forced_colours_are_kept,
    assert_no_fault,
)
from tests.site.browsing import LONG, PHONE, SCREENS, TOO_WIDE, ZOOMED
from tests.thorough import nightly, one_of_each, thorough

OPEN = "all => all.forEach(details => details.open = true)"

# Home, a chapter, a difference, a source page, a lab, and what draws all kinds of pictures
FEW = ["", "autograd/value/", "reference/changes/step1-step2/"]
FEW += ["reference/source/autograd/", "labs/ablations/", "reference/visual-language/"]

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
def test_in_a_block_that_loads_runs_fails_and_is_edited(tab: Page) -> None:
    bar = tab.locator("#block-1 .bar")
    tab.context.route("**/pyodide.asm.wasm", lambda route: None)  # never answered
    bar.locator(".run").click()
    bar.locator("progress").wait_for()
    assert_faultless(tab, "#block-1")
    tab.context.unroute("**/pyodide.asm.wasm")
    bar.locator(".stop").click()
    bar.locator(".edit").click()
    editor = tab.locator("#block-1 .cm-content")
    editor.press("ControlOrMeta+a")
    tab.keyboard.insert_text("print('long ' * 50)  # a comment\nif True: raise Wrong")
    assert_faultless(tab, "#block-1")
    bar.locator(".run").click()
    tab.locator("#block-1 .bar[data-state=failed]").wait_for(timeout=LONG)
    assert_faultless(tab, "#block-1")
    tab.get_by_role("group", name="Output of block 1", exact=True).first.wait_for()


@thorough
def test_in_what_unfolds(tab: Page) -> None:
    unfolded = tab.locator("article details")
    unfolded.evaluate_all(OPEN)
    unfolded.first.wait_for()
    assert_faultless(tab, "article details")


@thorough
def test_in_the_navigation_on_a_phone(browser: Browser, address: str) -> None:
    with browser.new_context(viewport=SCREENS["phone"]) as context:
        tab = context.new_page()
        tab.goto(f"{address}autograd/backward/")

        tab.get_by_role("button", name="Navigation").click()
        assert_faultless(tab, ".md-sidebar--primary")
        tab.locator(".md-nav__title:visible", has_text="Autograd").click()
        assert_faultless(tab, ".md-sidebar--primary")
        tab.locator(".md-nav__link:visible", has_text="Reference").click()
        assert_faultless(tab, ".md-sidebar--primary")


def test_keys_open_walk_and_leave_the_navigation_of_small_screens(
    browser: Browser, address: str
) -> None:
    """At 200% a desk has the navigation of a phone, and it is closed until a key opens it."""
    with browser.new_context(viewport=ZOOMED, reduced_motion="reduce") as context:
        tab = context.new_page()
        tab.goto(f"{address}autograd/backward/")
        menu = tab.locator(".md-sidebar--primary")
        button = tab.get_by_role("button", name="Navigation")
        link = partial(menu.get_by_role, "link", exact=True)
        expect(button).to_have_attribute("aria-expanded", "false")
        for _ in range(8):
            tab.keyboard.press("Tab")
            expect(menu.locator(":focus")).to_have_count(0)

        button.press("Enter")
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(link(name="In ten minutes")).to_be_focused()
        tab.keyboard.press("Tab")
        expect(link(name="Value")).to_be_focused()
        expect(link(name="Value")).to_be_in_viewport(ratio=1)

        tab.keyboard.press("Escape")
        section = menu.locator("label.md-nav__link")
        expect(section.filter(has_text="Autograd")).to_be_focused()
        expect(link(name="Value")).not_to_be_visible()
        tab.keyboard.press("Tab")
        expect(section.filter(has_text="Attention")).to_be_focused()
        tab.keyboard.press("Enter")
        expect(link(name="In ten minutes")).to_be_focused()
        expect(section.filter(has_text="Transformer")).not_to_be_visible()
        tab.keyboard.press("Escape")
        tab.keyboard.press("Escape")
        expect(button).to_be_focused()
        expect(button).to_have_attribute("aria-expanded", "false")

        button.press("Space")
        expect(link(name="Home")).to_be_focused()
        for _ in ("the logo", "what stands before the drawer"):
            tab.keyboard.press("Shift+Tab")
        expect(button).to_have_attribute("aria-expanded", "false")


def test_the_navigation_of_small_screens_needs_no_script(
    without_scripts: Page, address: str
) -> None:
    without_scripts.goto(f"{address}autograd/backward/")
    menu = without_scripts.locator(".md-sidebar--primary")
    expect(menu).not_to_be_in_viewport()
    menu.get_by_role("link", name="Value", exact=True).focus()
    expect(menu).to_be_in_viewport(ratio=1)


@thorough
def test_in_the_schemes_that_a_reader_picks(tab: Page) -> None:
    tab.set_viewport_size(SCREENS["desk"])
    for _ in range(3):
        tab.locator(".scheme button").click()
        assert_no_fault(tab, COLOURS)


@thorough
def test_what_scrolls_and_nothing_else_is_a_stop_with_a_name(
    browser: Browser, address: str
) -> None:
    stops = []
    for screen in SCREENS.values():
        with browser.new_context(viewport=screen) as context:
            tab = context.new_page()
            for page in FEW:
                tab.goto(address + page)
                tab.wait_for_function(f"() => !({ODD_FRAMES})().length", timeout=5000)
                stops.append(tab.locator("article :not(a)[tabindex='0']").count())
    assert stops[: len(FEW)] != stops[len(FEW) :]


@thorough
def test_at_twice_the_size_nothing_is_too_wide_or_covers_the_focus(
    browser: Browser, address: str
) -> None:
    with browser.new_context(viewport=ZOOMED) as context:
        tab = context.new_page()
        for page in FEW:
            tab.goto(address + page)
            assert tab.evaluate(TOO_WIDE) <= 0
            covered = tab.evaluate(COVERED)
            assert not covered, f"covered: {covered}"


@nightly  # widgets are looked at in them with every change
def test_in_colours_that_a_reader_forces_on_all(browser: Browser, address: str) -> None:
    with browser.new_context(viewport=SCREENS["desk"]) as context:
        tab = context.new_page()
        for page in FEW:
            tab.goto(address + page)
            assert_forced_colours_are_kept(tab)
