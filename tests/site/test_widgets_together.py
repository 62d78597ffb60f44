"""All widgets on one page, as narrow as a page may be: as they come, and while they wait.

The tests share the page, so the one that starts Python is the last.
What a widget shows after a change is looked at where it is compared with Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

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
    spaced.evaluate("each => each.remove()")
    gathered.set_viewport_size(NARROW)


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
    tab.route("**/pyodide.asm.wasm", lambda route: None)  # never answered
    widgets.evaluate_all(TOUCH)
    expect(tab.locator(".widget progress").first).to_be_visible(timeout=LONG)
    assert_accessible()
    show(tab, "dark")
    assert_no_fault(tab, COLOURS, ".widget")
