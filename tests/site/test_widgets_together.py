"""All widgets on one page, as narrow as a page may be: as they come, while they wait,
without Python, and with what Python refuses.

The tests share the page, so the one that starts Python is the last.
What a widget shows after a change is looked at where it is compared with Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.promises.site import Site
from tests.site.accessibility import (
    COLOURS,
    COVERED,
    ILLEGIBLE,
    assert_forced_colours_are_kept,
    assert_no_fault,
    show,
)
from tests.site.browsing import LONG, PHONE, TOO_WIDE, ZOOMED

WIDGET = re.compile(
    r'<link rel="stylesheet"[^>]*><figure class="widget.*?</figure>', re.DOTALL
)
NAME = re.compile(r'data-widget="(\w+)"')
ARTICLE = re.compile(r"(<article[^>]*>).*(</article>)", re.DOTALL)
# WCAG 1.4.10: no need to scroll in two directions at this width
NARROW: ViewportSize = {"width": 320, "height": 900}
# WCAG 1.4.12
SPACED = """* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }"""
OPEN = "all => all.forEach(details => details.open = true)"
TOUCH = """all => all.forEach(widget => {
  const scale = widget.querySelector("input[type=range]:not(:disabled)");
  if (scale) {
    scale.valueAsNumber = scale.valueAsNumber > scale.min ? scale.min : scale.max;
    scale.dispatchEvent(new Event("input", {bubbles: true}));
  }
  // Not what would train for long
  const free = "button:not([aria-disabled=true], [hidden], form *, .measure *)";
  [...widget.querySelectorAll(free)].at(-1)?.click();
})"""
# WCAG 2.5.8, by the box that a pointer can hit
SMALL = """all => all.filter(each => {
  if (!each.checkVisibility() || each.closest(".sr-only")) return false;
  const hit = (each.closest("label, .item, .token") ?? each).getBoundingClientRect();
  return hit.width > 0 && (hit.width < 24 || hit.height < 24);
}).map(each => each.outerHTML)"""
BUSY = "() => !!document.querySelector('.python[data-busy=true]')"
# Every sentence that widgets say to who cannot see them, while Python computes
LISTEN = """() => {
  window.said = {};
  for (const status of document.querySelectorAll(".widget [role=status]")) {
    const name = status.closest(".widget").dataset.widget;
    let last = status.textContent;
    new MutationObserver(() => {
      if (status.textContent === last) return;
      last = status.textContent;
      if (last) said[name] = (said[name] ?? 0) + 1;
    }).observe(status, {childList: true, subtree: true, characterData: true});
  }
}"""
MANY = 12
# Fields whose refusal no screen reader finds
UNSAID = """() => Array.from(document.querySelectorAll("[aria-describedby$=-refusal]"))
  .filter(each => each.checkVisibility() && each.value === "§"
    && !(each.ariaInvalid === "true"
      && document.getElementById(each.getAttribute("aria-describedby")).textContent))
  .map(each => each.outerHTML)"""
MOVES = """() => document.getAnimations()
  .filter(each => each.effect.getComputedTiming().activeDuration > 1)
  .map(each => each.effect.target.outerHTML.slice(0, 120))"""
CONTROLS = ".widget :is(button, select, input, textarea, [tabindex='0'], [role=button])"


@pytest.fixture(scope="module")
def gathered(browser: Browser, address: str, site: Site) -> Iterator[Page]:
    """A page that holds every widget of the guide, and no Python yet."""
    found: dict[str, str] = {}
    for page in site.pages:
        for widget in WIDGET.findall(page.file.read_text(encoding="utf-8")):
            found.setdefault(NAME.findall(widget)[0], widget)
    frame = (site.folder / "autograd" / "backward" / "index.html").read_text("utf-8")
    html = ARTICLE.sub(
        lambda m: m[1] + "<h1>Widgets</h1>" + "".join(found.values()) + m[2], frame
    )
    with browser.new_context(viewport=NARROW, bypass_csp=True) as context:
        tab = context.new_page()
        tab.route(
            "**/all/widgets/", lambda r: r.fulfill(body=html, content_type="text/html")
        )
        tab.goto(f"{address}all/widgets/")
        for name in found:
            tab.locator(f".widget.{name}").scroll_into_view_if_needed()
            tab.locator(f".widget.{name}[data-alive]").wait_for(timeout=LONG)
        tab.locator("article details").evaluate_all(OPEN)
        yield tab


def test_forced_colours_leave_nothing_unseen(gathered: Page) -> None:
    assert_forced_colours_are_kept(gathered, painted=True)


def test_at_twice_the_size_nothing_is_lost_or_covers_the_focus(gathered: Page) -> None:
    for screen in (ZOOMED, NARROW):
        gathered.set_viewport_size(screen)
        assert gathered.evaluate(TOO_WIDE) <= 0
        lost = gathered.evaluate(ILLEGIBLE, ".widget")
        assert not lost, lost
        covered = gathered.evaluate(COVERED)
        assert not covered, covered


def test_text_with_more_space_around_its_letters_is_whole(gathered: Page) -> None:
    gathered.set_viewport_size(PHONE)
    spaced = gathered.add_style_tag(content=SPACED)
    lost = gathered.evaluate(ILLEGIBLE, ".widget")
    assert not lost, lost
    assert gathered.evaluate(TOO_WIDE) <= 0
    gathered.set_viewport_size(NARROW)
    assert gathered.evaluate(TOO_WIDE) <= 0
    spaced.evaluate("each => each.remove()")


def test_axe_finds_no_fault_in_any_widget_before_or_while_python_starts(
    gathered: Page,
) -> None:
    tab = gathered

    def assert_accessible() -> None:
        assert_no_fault(tab, within=".widget")
        assert tab.evaluate(TOO_WIDE) <= 0

    widgets = tab.locator(".widget")
    assert_accessible()
    assert tab.locator(CONTROLS).evaluate_all(SMALL) == []
    # Python starts, and everything waits for it
    waiting: list[Route] = []
    tab.context.route(
        "**/pyodide.asm.wasm", lambda route: waiting.append(route)
    )  # not answered yet
    widgets.evaluate_all(TOUCH)
    expect(tab.locator(".widget progress").first).to_be_visible(timeout=LONG)
    assert_accessible()
    show(tab, "dark")
    assert_no_fault(tab, COLOURS, ".widget")
    # It cannot be loaded, and everything says so
    show(tab, "light")
    tab.context.route("**/pyodide.asm.wasm", lambda route: route.abort())
    for route in waiting:
        route.abort()
    tab.wait_for_function(f"() => !({BUSY})()")
    expect(widgets.get_by_role("button", name="Try again").first).to_be_visible()
    assert_accessible()
    tab.context.unroute_all()


def test_each_widget_says_what_it_shows_and_what_becomes_of_a_change(
    gathered: Page,
) -> None:
    tab = gathered
    widgets = tab.locator(".widget")
    names = widgets.evaluate_all("all => all.map(x => x.ariaLabel)")
    assert all(names) and len(set(names)) == len(names)
    tab.emulate_media(reduced_motion="reduce")
    tab.evaluate(LISTEN)
    # Whatever can be refused is asked for, and its Python answers
    for field in tab.locator(".widget :is(input[type=text], textarea)").all():
        if field.is_visible():
            field.fill("§")
            form = field.locator("xpath=ancestor::form")
            if form.count():
                form.evaluate("form => form.requestSubmit()")
    tab.wait_for_timeout(500)  # who types is given time to go on
    tab.wait_for_function(f"() => !({BUSY})()")
    assert_no_fault(tab, within=".widget")
    assert tab.locator(".widget [aria-invalid=true]").count() > 20
    assert tab.evaluate(UNSAID) == []
    assert tab.evaluate(MOVES) == []
    said = tab.evaluate("said")
    assert {name for name, times in said.items() if times > MANY} == set()
