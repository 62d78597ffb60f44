"""Widgets, search and navigation are accessible to keyboards, screen readers, any size.

Tests that compare a widget with Python look at what it shows after a change.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Route,
    ViewportSize,
    expect,
)

from tests.built_site import Site
from tests.marks import nightly, thorough
from tests.site.accessibility import (
    COVERED_FOCUS_STOPS_JS,
    CUT_OR_OVERLAPPING_TEXTS_JS,
    NARROW_SIZE,
    OPEN_DETAILS_JS,
    TRANSITIONS_ENDED_JS,
    assert_accessible_in_both_schemes,
    assert_forced_colours_work,
    assert_no_axe_violations,
    set_colour_scheme,
)
from tests.site.browsing import (
    DESKTOP_SIZE,
    OVERFLOW_PX_JS,
    PHONE_SIZE,
    ZOOMED_DESKTOP_SIZE,
    open_reduced_motion_tab,
    wait_until_true,
)

WIDGET_HTML = re.compile(
    r'(?:<link rel="stylesheet"[^>]*>)?<figure class="widget.*?</figure>', re.DOTALL
)
# The page that shows the whole widget, for widgets of which others show a part
PAGE_OF_WHOLE_WIDGET = {"network": "network", "transformer": "forward-pass"}
PAGE_OF_WHOLE_WIDGET["sampler"] = "sampling"
# WCAG 1.4.12
TEXT_SPACING_CSS = """* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }"""
# Buttons that do not train a model
QUICK_BUTTONS_CSS = """.widget:not(.trainer, .what_if, .live_gpt)
  button:not([aria-disabled=true], [hidden], form *, .play)"""
BUSY_PYTHON_CSS = ".python-status[data-busy=true]"
# The text of each widget without that of its controls
WIDGET_TEXTS_JS = """all => Object.fromEntries(all.map(widget => {
  const stage = widget.querySelector(".widget-view").cloneNode(true);
  const besides = "form, .controls, .error-message, [role=status], .editor";
  stage.querySelectorAll(besides).forEach(each => each.remove());
  return [widget.dataset.widget, stage.textContent];
}))"""
RUNNING_ANIMATIONS_JS = """() => document.getAnimations()
  .filter(each => each.effect.getComputedTiming().activeDuration > 1)
  .map(each => each.effect.target.outerHTML.slice(0, 120))"""
# Widgets hydrate when they become visible; `release()` lets observers see that.
DELAY_HYDRATION_JS = """{
  const held = [];
  window.release = () => held.forEach(([each, seen]) => each.reallyObserve(seen));
  window.IntersectionObserver = class extends IntersectionObserver {
    observe(seen) { held.push([this, seen]); }
    reallyObserve(seen) { super.observe(seen); }
  };
}"""
# The text, position and size of each element, without the effect of scrolling
ELEMENT_BOXES_JS = """all => all.map(widget => [...widget.querySelectorAll("*")]
  .filter(each => each.checkVisibility() && !each.closest(".sr-only"))
  .map(each => {
    const {x, y, width, height} = each.getBoundingClientRect();
    const frame = each.ownerSVGElement?.getBoundingClientRect();
    const at = frame ? [x - frame.x, y - frame.y] : [each.offsetLeft ?? 0, each.offsetTop ?? 0];
    const text = each.localName === "textarea" ? each.value : each.textContent;
    return [each.childElementCount ? "" : text, ...at, width, height];
  }))"""
# How many elements of each widget are visible, without the controls, which need scripts
VISIBLE_PART_COUNTS_JS = """all => all.map(widget => [...widget.querySelectorAll(".widget-view *")]
  .filter(each => each.checkVisibility() && !each.closest(".controls")).length)"""


def open_html(tab: Page, address: str, html: str) -> None:
    """Open HTML as a page of the site, at an address that it does not have."""
    answer = partial(Route.fulfill, body=html, content_type="text/html")
    tab.route("**/all/samples/", lambda route: answer(route))
    tab.goto(f"{address}all/samples/")


def hydrate_and_list_moved_boxes(tab: Page, address: str, html: str) -> list[str]:
    """Hydrate all widgets on one page; return the boxes that this has moved or changed."""
    tab.add_init_script(DELAY_HYDRATION_JS)
    # A web font may arrive late: without any, both measurements use the same fonts.
    tab.route("**/*.woff2", lambda route: route.abort())
    open_html(tab, address, html)
    widgets = tab.locator(".widget")
    assert tab.locator("[data-hydrated]").count() == 0
    before = widgets.evaluate_all(ELEMENT_BOXES_JS)
    tab.evaluate("release()")
    for widget in widgets.all():
        widget.scroll_into_view_if_needed()
        expect(widget).to_have_attribute("data-hydrated", "")
    tab.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    tab.wait_for_load_state("networkidle")
    wait_until_true(tab, TRANSITIONS_ENDED_JS)
    after = widgets.evaluate_all(ELEMENT_BOXES_JS)
    # A text split into several nodes may be a fraction of a pixel wider.
    return [
        f"{was} is {now}"
        for boxes in zip(before, after, strict=True)
        for was, now in zip_longest(*boxes, fillvalue=list[Any]())
        if was[:1] != now[:1]
        or any(abs(x - y) > 0.2 for x, y in zip(was[1:], now[1:], strict=True))
    ]


@pytest.fixture(scope="module")
def all_widgets_html(site: Site) -> str:
    """The HTML of a page with all widgets, each as it is shown first, or whole."""
    html_of_widget: dict[str, str] = {}
    for page in site.pages:
        for html in WIDGET_HTML.findall(page.file.read_text("utf-8")):
            (name,) = re.findall(r'data-widget="(\w+)"', html)
            if page.file.parent.name == PAGE_OF_WHOLE_WIDGET.get(name):
                html_of_widget[name] = html
            html_of_widget.setdefault(name, html)
    frame = (site.folder / "autograd/backward/index.html").read_text("utf-8")
    before, opening, rest = re.split("(<article[^>]*>)", frame, maxsplit=1)
    after = rest.rpartition("</article>")[2]
    widgets = "".join(html_of_widget.values())
    return f"{before}{opening}<h1>Widgets</h1><h2>All</h2>{widgets}</article>{after}"


@pytest.fixture
def hydrated_tab(context: BrowserContext, address: str, all_widgets_html: str) -> Page:
    """A phone tab with all widgets hydrated, and reduced motion."""
    tab = open_reduced_motion_tab(context, PHONE_SIZE)
    hydrate_and_list_moved_boxes(tab, address, all_widgets_html)
    return tab


@thorough
def test_widgets_look_the_same_before_scripts_run(
    browser: Browser, context: BrowserContext, address: str, all_widgets_html: str
) -> None:
    tab = open_reduced_motion_tab(context, PHONE_SIZE)
    assert hydrate_and_list_moved_boxes(tab, address, all_widgets_html)[:5] == []
    with browser.new_context(java_script_enabled=False, viewport=PHONE_SIZE) as without:
        plain_tab = without.new_page()
        open_html(plain_tab, address, all_widgets_html)
        pressable = plain_tab.locator(".widget").locator(
            "button, input, select, textarea, [role=button], [role=application]"
        )
        expect(pressable.filter(visible=True)).to_have_count(0)
        # Scripts replace the list of questions of what_if by one question.
        alive, shown = (t.locator(".widget:not(.what_if)") for t in (tab, plain_tab))
        expected = alive.evaluate_all(VISIBLE_PART_COUNTS_JS)
        assert shown.evaluate_all(VISIBLE_PART_COUNTS_JS) == expected
        assert plain_tab.evaluate(OVERFLOW_PX_JS) <= 0


@thorough
def test_widgets_are_accessible_in_all_sizes_and_colours(hydrated_tab: Page) -> None:
    hydrated_tab.locator("article details").evaluate_all(OPEN_DETAILS_JS)
    assert_accessible_in_both_schemes(hydrated_tab, "article")
    set_colour_scheme(hydrated_tab, "light")
    assert_forced_colours_work(hydrated_tab)
    for size in (ZOOMED_DESKTOP_SIZE, NARROW_SIZE):
        hydrated_tab.set_viewport_size(size)
        assert hydrated_tab.evaluate(OVERFLOW_PX_JS) <= 0
        assert hydrated_tab.evaluate(CUT_OR_OVERLAPPING_TEXTS_JS, ".widget") == []
        assert hydrated_tab.evaluate(COVERED_FOCUS_STOPS_JS, ".widget") == []
    # With more space around letters, no text is cut off, either.
    hydrated_tab.add_style_tag(content=TEXT_SPACING_CSS)
    assert hydrated_tab.evaluate(OVERFLOW_PX_JS) <= 0
    assert hydrated_tab.evaluate(CUT_OR_OVERLAPPING_TEXTS_JS, ".widget") == []


@thorough
def test_widgets_have_labels_and_mark_refused_input(hydrated_tab: Page) -> None:
    hydrated_tab.set_viewport_size(NARROW_SIZE)
    widgets = hydrated_tab.locator(".widget")
    names = widgets.evaluate_all("all => all.map(x => x.ariaLabel)")
    assert all(names) and len(set(names)) == len(names)
    before = widgets.evaluate_all(WIDGET_TEXTS_JS)
    # Submit a text that every field refuses, and wait for Python's answers
    fields = hydrated_tab.locator(".widget :is(input[type=text], textarea):visible")
    for field in fields.all():
        field.fill("§")
        field.locator("xpath=ancestor::form").evaluate_all("x => x[0]?.requestSubmit()")
    hydrated_tab.wait_for_timeout(500)  # a widget waits for further typing
    expect(hydrated_tab.locator(BUSY_PYTHON_CSS)).to_have_count(0)
    changed = ":is(.python-status, .error-message, .stale, [aria-invalid=true])"
    assert_no_axe_violations(hydrated_tab, within=f".widget {changed}")
    refused = hydrated_tab.locator(".widget [aria-describedby$=-error]:visible").all()
    assert len(refused) > 4
    for field in refused:
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile("."))
    assert widgets.evaluate_all(WIDGET_TEXTS_JS) == before
    assert hydrated_tab.evaluate(RUNNING_ANIMATIONS_JS) == []


@nightly
def test_widgets_stay_accessible_after_every_press(hydrated_tab: Page) -> None:
    click_all = "all => all.filter(x => x.isConnected).forEach(x => x.click())"
    hydrated_tab.locator(QUICK_BUTTONS_CSS).evaluate_all(click_all)
    expect(hydrated_tab.locator(BUSY_PYTHON_CSS)).to_have_count(0)
    assert hydrated_tab.evaluate(OVERFLOW_PX_JS) <= 0
    assert_accessible_in_both_schemes(hydrated_tab, ".widget")


@pytest.fixture
def phone_tab(browser: Browser, address: str) -> Iterator[Page]:
    with browser.new_context(viewport=PHONE_SIZE) as context:
        phone_tab = context.new_page()
        phone_tab.goto(f"{address}autograd/backward/")
        yield phone_tab


@thorough
@pytest.mark.parametrize("size", [PHONE_SIZE, DESKTOP_SIZE], ids=["phone", "desktop"])
def test_search_is_accessible(phone_tab: Page, size: ViewportSize) -> None:
    phone_tab.set_viewport_size(size)
    wait_until_true(phone_tab, TRANSITIONS_ENDED_JS)  # hides the label of phones
    phone_tab.locator("[for=__search]:visible, .md-search__input:visible").first.click()
    phone_tab.locator(".md-search__output").wait_for()
    assert_accessible_in_both_schemes(phone_tab, ".md-search")
    phone_tab.keyboard.type("topological", delay=30)
    phone_tab.locator(".md-search-result__item a").first.wait_for()
    phone_tab.locator(".md-search-result__more").evaluate_all(OPEN_DETAILS_JS)
    assert_accessible_in_both_schemes(phone_tab, ".md-search")


@thorough
def test_navigation_on_a_phone_is_accessible(phone_tab: Page) -> None:
    phone_tab.locator(".md-header [for=__drawer]").click()
    phone_tab.locator(".md-nav__title:visible", has_text="Autograd").click()
    assert_accessible_in_both_schemes(phone_tab, ".md-sidebar--primary")
    phone_tab.locator(".md-nav__link:visible", has_text="Reference").click()
    assert_accessible_in_both_schemes(phone_tab, ".md-sidebar--primary")


@pytest.mark.parametrize("scripts", [True, False])
def test_focus_opens_navigation(browser: Browser, address: str, scripts: bool) -> None:
    """A desktop zoomed to 200 % has the navigation of a phone, closed until it has focus."""
    with browser.new_context(
        viewport=ZOOMED_DESKTOP_SIZE,
        reduced_motion="reduce",
        java_script_enabled=scripts,
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
