"""Nothing keeps a reader out: each kind of element and each widget, and what opens on demand.

What a widget shows after a change is looked at where it is compared with Python.
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
    expect,
)

from tests.marks import mark_all_but_first, nightly, thorough
from tests.promises.site import Site
from tests.site.accessibility import (
    COVERED_FOCUS_STOPS_JS,
    CUT_OR_OVERLAPPING_TEXTS_JS,
    NARROW_SIZE,
    NO_TRANSITIONS_JS,
    OPEN_DETAILS_JS,
    assert_accessible_in_both_schemes,
    assert_forced_colours_work,
    assert_no_axe_violations,
    set_colour_scheme,
)
from tests.site.browsing import (
    LONG_TIMEOUT_MS,
    OVERFLOW_PX_JS,
    PHONE_SIZE,
    SCREEN_SIZES,
    ZOOMED_DESKTOP_SIZE,
    open_reduced_motion_tab,
    wait_until_true,
)
from widgets.what_if.model import what_if

ARTICLE = re.compile(r"(<article[^>]*>).*(</article>)", re.DOTALL)
WIDGET = re.compile(
    r'(?:<link rel="stylesheet"[^>]*>)?<figure class="widget.*?</figure>', re.DOTALL
)
NAME = re.compile(r'data-widget="(\w+)"')
# The page that shows all of a widget, where others show a part of it
WHOLE = {"network": "network", "transformer": "forward-pass", "sampler": "sampling"}
# WCAG 1.4.12
SPACED = """* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }"""
# Each button once, but none that would train for long
PRESS_ALL = "all => all.filter(x => x.isConnected).forEach(x => x.click())"
FREE = """.widget:not(.trainer, .what_if, .live_gpt)
  button:not([aria-disabled=true], [hidden], form *, .play)"""
BUSY = ".python[data-busy=true]"
# What waiting for Python, or a refusal, gives another look; all else has the looks that
# it has in use.
NEW = ".widget :is(.python, .refusal, .stale, [aria-invalid=true])"
# What each widget says beside its controls
SHOWN = """all => Object.fromEntries(all.map(widget => {
  const stage = widget.querySelector(".widget-view").cloneNode(true);
  const besides = "form, .controls, .refusal, [role=status], .editor";
  stage.querySelectorAll(besides).forEach(each => each.remove());
  return [widget.dataset.widget, stage.textContent];
}))"""
MOVES = """() => document.getAnimations()
  .filter(each => each.effect.getComputedTiming().activeDuration > 1)
  .map(each => each.effect.target.outerHTML.slice(0, 120))"""
# Widgets come to life when they are seen; nothing is seen before `release()`.
HOLD = """{
  const held = [];
  window.release = () => held.forEach(([each, seen]) => each.reallyObserve(seen));
  window.IntersectionObserver = class extends IntersectionObserver {
    observe(seen) { held.push([this, seen]); }
    reallyObserve(seen) { super.observe(seen); }
  };
}"""
# What each part says, and where it stands, whatever has been scrolled within the widget.
BOXES = """all => all.map(widget => [...widget.querySelectorAll("*")]
  .filter(each => each.checkVisibility() && !each.closest(".sr-only"))
  .map(each => {
    const {x, y, width, height} = each.getBoundingClientRect();
    const frame = each.ownerSVGElement?.getBoundingClientRect();
    const at = frame ? [x - frame.x, y - frame.y] : [each.offsetLeft ?? 0, each.offsetTop ?? 0];
    const text = each.localName === "textarea" ? each.value : each.textContent;
    return [each.childElementCount ? "" : text, ...at, width, height];
  }))"""
PRESSABLE = "button, input, select, textarea, [role=button], [role=application]"
# How many parts of each widget are seen; what needs scripts stands apart. The list of
# questions gives way to one of them.
PICTURED = """all => all.map(widget => [...widget.querySelectorAll(".widget-view *")]
  .filter(each => each.checkVisibility() && !each.closest(".controls")).length)"""


def figures(site: Site) -> dict[str, str]:
    """Return every widget's HTML, from the page that shows it first, or whole."""
    found: dict[str, str] = {}
    for page in site.pages:
        for widget in WIDGET.findall(page.file.read_text(encoding="utf-8")):
            name = NAME.findall(widget)[0]
            if page.file.parent.name == WHOLE.get(name):
                found[name] = widget
            found.setdefault(name, widget)
    return found


def framed(site: Site, article: str) -> str:
    """Return a page of the site with another article."""
    frame = (site.folder / "autograd/backward/index.html").read_text("utf-8")
    return ARTICLE.sub(lambda found: f"{found[1]}{article}{found[2]}", frame)


def show_page(tab: Page, address: str, page: str) -> None:
    """Open a page that the site does not have."""
    tab.route(
        "**/all/samples/",
        lambda route: route.fulfill(body=page, content_type="text/html"),
    )
    tab.goto(f"{address}all/samples/")


def gather(tab: Page, address: str, html: str) -> list[str]:
    """Bring all widgets of the guide to life on one page; return what that moved or changed."""
    tab.add_init_script(HOLD)
    # A face that comes too late is not used: here none comes, neither time.
    tab.route("**/*.woff2", lambda route: route.abort())
    show_page(tab, address, html)
    widgets = tab.locator(".widget")
    assert tab.locator("[data-alive]").count() == 0
    before = widgets.evaluate_all(BOXES)
    tab.evaluate("release()")
    for widget in widgets.all():
        widget.scroll_into_view_if_needed()
        expect(widget).to_have_attribute("data-alive", "", timeout=LONG_TIMEOUT_MS)
    tab.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    tab.wait_for_load_state("networkidle")
    wait_until_true(tab, NO_TRANSITIONS_JS)
    # A text in several nodes is a hair wider than in one: nobody sees that.
    return [
        f"{was} is {now}"
        for boxes in zip(before, widgets.evaluate_all(BOXES), strict=True)
        for was, now in zip_longest(*boxes, fillvalue=list[Any]())
        if was[:1] != now[:1]
        or any(abs(x - y) > 0.2 for x, y in zip(was[1:], now[1:], strict=True))
    ]


@pytest.fixture(scope="module")
def widgets(site: Site) -> str:
    """A page of all widgets."""
    return framed(
        site, f"<h1>Widgets</h1><h2>All</h2>{''.join(figures(site).values())}"
    )


@pytest.fixture
def played(context: BrowserContext, address: str, widgets: str) -> Page:
    """All widgets on a phone whose reader wants nothing to move, with Python at hand."""
    tab = open_reduced_motion_tab(context, PHONE_SIZE)
    gather(tab, address, widgets)
    return tab


@thorough
def test_widgets_look_the_same_without_scripts_and_after_hydration(
    browser: Browser, context: BrowserContext, address: str, widgets: str
) -> None:
    played = open_reduced_motion_tab(context, PHONE_SIZE)
    assert gather(played, address, widgets)[:5] == []
    with browser.new_context(java_script_enabled=False, viewport=PHONE_SIZE) as without:
        tab = without.new_page()
        show_page(tab, address, widgets)
        shown = tab.locator(".widget:not(.what_if)")
        pressable = tab.locator(".widget").locator(PRESSABLE)
        expect(pressable.filter(visible=True)).to_have_count(0)
        alive = played.locator(".widget:not(.what_if)").evaluate_all(PICTURED)
        assert shown.evaluate_all(PICTURED) == alive
        assert tab.evaluate(OVERFLOW_PX_JS) <= 0


def test_what_if_switches_link_to_their_answers_without_scripts(site: Site) -> None:
    page = site.folder / "reference/what-if/index.html"
    html = page.read_text(encoding="utf-8")
    for switch in what_if()["switches"]:
        assert f'href="#{switch["anchor"]}"' in html
        assert f'<h3 id="{switch["anchor"]}">' in html


@thorough
def test_widgets_are_accessible_at_each_size_and_in_all_colours(played: Page) -> None:
    played.locator("article details").evaluate_all(OPEN_DETAILS_JS)
    assert_accessible_in_both_schemes(played, "article")
    set_colour_scheme(played, "light")
    assert_forced_colours_work(played)
    for screen in (ZOOMED_DESKTOP_SIZE, NARROW_SIZE):
        played.set_viewport_size(screen)
        assert played.evaluate(OVERFLOW_PX_JS) <= 0
        assert played.evaluate(CUT_OR_OVERLAPPING_TEXTS_JS, ".widget") == []
        assert played.evaluate(COVERED_FOCUS_STOPS_JS, ".widget") == []
    # With more space around its letters, too, each text is whole
    played.add_style_tag(content=SPACED)
    assert played.evaluate(OVERFLOW_PX_JS) <= 0
    assert played.evaluate(CUT_OR_OVERLAPPING_TEXTS_JS, ".widget") == []


@thorough
def test_widgets_have_labels_and_mark_refused_input_as_invalid(
    played: Page,
) -> None:
    played.set_viewport_size(NARROW_SIZE)
    widgets = played.locator(".widget")
    names = widgets.evaluate_all("all => all.map(x => x.ariaLabel)")
    assert all(names) and len(set(names)) == len(names)
    before = widgets.evaluate_all(SHOWN)
    # Whatever can be refused is asked for, and its Python answers
    fields = played.locator(".widget :is(input[type=text], textarea):visible").all()
    for field in fields:
        field.fill("§")
        field.locator("xpath=ancestor::form").evaluate_all("x => x[0]?.requestSubmit()")
    played.wait_for_timeout(500)  # who types is given time to go on
    expect(played.locator(BUSY)).to_have_count(0, timeout=LONG_TIMEOUT_MS)
    assert_no_axe_violations(played, within=NEW)
    refused = played.locator(".widget [aria-describedby$=-error]:visible").all()
    assert len(refused) > 4
    for field in refused:
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile("."))
    after = widgets.evaluate_all(SHOWN)
    changed = {name for name, text in before.items() if after[name] != text}
    assert changed == set(), "what stood there did not stay"
    assert played.evaluate(MOVES) == []


@nightly
def test_widgets_stay_accessible_on_a_phone_after_every_button_press(
    played: Page,
) -> None:
    played.locator(FREE).evaluate_all(PRESS_ALL)
    expect(played.locator(BUSY)).to_have_count(0, timeout=LONG_TIMEOUT_MS)
    assert played.evaluate(OVERFLOW_PX_JS) <= 0
    assert_accessible_in_both_schemes(played, ".widget")


@pytest.fixture
def tab(browser: Browser, address: str) -> Iterator[Page]:
    with browser.new_context(viewport=PHONE_SIZE) as context:
        tab = context.new_page()
        tab.goto(f"{address}autograd/backward/")
        yield tab


@thorough
@pytest.mark.parametrize("screen", mark_all_but_first(SCREEN_SIZES))
def test_search_and_its_results_are_accessible(tab: Page, screen: str) -> None:
    tab.set_viewport_size(SCREEN_SIZES[screen])
    tab.locator("[for=__search]:visible, .md-search__input:visible").first.click()
    tab.locator(".md-search__output").wait_for()
    assert_accessible_in_both_schemes(tab, ".md-search")
    tab.keyboard.type("topological", delay=30)
    tab.locator(".md-search-result__item a").first.wait_for()
    tab.locator(".md-search-result__more").evaluate_all(OPEN_DETAILS_JS)
    assert_accessible_in_both_schemes(tab, ".md-search")


@thorough
def test_navigation_on_a_phone_is_accessible(tab: Page) -> None:
    tab.locator(".md-header [for=__drawer]").click()
    tab.locator(".md-nav__title:visible", has_text="Autograd").click()
    assert_accessible_in_both_schemes(tab, ".md-sidebar--primary")
    tab.locator(".md-nav__link:visible", has_text="Reference").click()
    assert_accessible_in_both_schemes(tab, ".md-sidebar--primary")


@pytest.mark.parametrize("scripts", [True, False])
def test_keyboard_focus_opens_the_navigation_of_small_screens(
    browser: Browser, address: str, scripts: bool
) -> None:
    """At 200% a desk has the navigation of a phone, and it is closed until a key opens it."""
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
