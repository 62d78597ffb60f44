"""All widgets on one page: as they were built, as they come to life, while they wait,
without Python, in use, and with what Python refuses.

Tests share pages, and leave them to the next as they found them or further on.
What a widget shows after a change is looked at where it is compared with Python.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Route,
    ViewportSize,
    expect,
)

from tests.promises.site import Site
from tests.site.accessibility import (
    COLOURS,
    COVERED,
    ILLEGIBLE,
    OPEN,
    RESTS,
    assert_faultless,
    assert_forced_colours_are_kept,
    assert_no_fault,
    show,
)
from tests.site.browsing import DESK, LONG, PHONE, TOO_WIDE, ZOOMED, still, wait_for
from tests.site.samples import framed, show_page
from tests.thorough import nightly, thorough
from widgets.what_if.model import what_if

WIDGET = re.compile(
    r'(?:<link rel="stylesheet"[^>]*>)?<figure class="widget.*?</figure>', re.DOTALL
)
NAME = re.compile(r'data-widget="(\w+)"')
# WCAG 1.4.10: no need to scroll in two directions at this width
NARROW: ViewportSize = {"width": 320, "height": 900}
# WCAG 1.4.12
SPACED = """* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }"""
TOUCH = """all => all.forEach(widget => {
  const scale = widget.querySelector("input[type=range]:not(:disabled)");
  if (scale) {
    scale.valueAsNumber = scale.valueAsNumber > scale.min ? scale.min : scale.max;
    scale.dispatchEvent(new Event("input", {bubbles: true}));
  }
  // Not what would train for long
  const free = "button:not([aria-disabled=true], [hidden], form *)";
  [...widget.querySelectorAll(free)].at(-1)?.click();
})"""
# WCAG 2.5.8, by the box that a pointer can hit
SMALL = """all => all.filter(each => {
  if (!each.checkVisibility() || each.closest(".sr-only")) return false;
  const hit = (each.closest("label, .item") ?? each).getBoundingClientRect();
  return hit.width > 0 && (hit.width < 24 || hit.height < 24);
}).map(each => each.outerHTML)"""
# Press each button once, but none that would train for long.
PRESS_ALL = (
    """all => all.filter(each => each.isConnected).forEach(each => each.click())"""
)
FREE = """.widget:not(.trainer, .what_if, .live_gpt)
  button:not([aria-disabled=true], [hidden], form *, .play)"""
# What fingers touch is larger than WCAG asks for.
TOUCHED = """.widget :is(button, select, .place, .file,
  input:not([type=checkbox], [type=radio], [type=file]))"""
TOO_SMALL_FOR_A_FINGER = """all => all.filter(each => {
  if (!each.checkVisibility({visibilityProperty: true})) return false;
  if (each.closest(".sr-only")) return false;
  const {width, height} = each.getBoundingClientRect();
  const least = each.closest(".bars") ? 24 : 36;
  return width > 0 && Math.min(width, height) < least;
}).map(each => each.outerHTML.slice(0, 200))"""
BUSY = "() => !!document.querySelector('.python[data-busy=true]')"
# What waiting for Python, or a refusal, gives another look; all else has the looks that
# it has in use.
NEW = ".widget :is(.python, .refusal, .stale, [aria-invalid=true])"
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
# What each widget says beside its controls
SHOWN = """all => Object.fromEntries(all.map(widget => {
  const stage = widget.querySelector(".stage").cloneNode(true);
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
PRESSABLE = (
    ".widget :is(button, input, select, textarea, [role=button], [role=application])"
)
# What everybody sees of a widget, with scripts or without, if it's not all of it
PICTURES = {
    "attention": ".arc, .who, .share, .says",
    "count_table": ".verdict, .cells svg, .what",
    "live_gpt": ".writes span",
    "graph": ".picture .value, .says",
    "name_loss": "tbody .track",
    "network": ".strip .fill, .band path, .pair, .words, .loss-row b",
    "sampler": ".slot, .says, .bars .fill, .ten .known",
    "sliders": ".scene .curve",
    "trainer": ".plane .line.s1, .samples",
    "transformer": ".cells rect, .looks i, .chances i",
    "what_if": ".question",
}
# The page that shows all of a widget, where others show a part of it
WHOLE = {"network": "network", "transformer": "forward-pass", "sampler": "sampling"}
CONTROLS = ".widget :is(button, select, input, textarea, [tabindex='0'], [role=button])"


@pytest.fixture(scope="module")
def figures(site: Site) -> dict[str, str]:
    """The HTML of every widget of the guide, as the page has it that shows it first, or whole."""
    found: dict[str, str] = {}
    for page in site.pages:
        for widget in WIDGET.findall(page.file.read_text(encoding="utf-8")):
            name = NAME.findall(widget)[0]
            if page.file.parent.name == WHOLE.get(name):
                found[name] = widget
            found.setdefault(name, widget)
    return found


@pytest.fixture(scope="module")
def page_of_all(site: Site, figures: dict[str, str]) -> str:
    return framed(site, f"<h1>Widgets</h1><h2>All</h2>{''.join(figures.values())}")


@dataclass
class Gathered:
    """A page that holds every widget of the guide, all alive."""

    tab: Page
    moved: list[str]  # what was or stood otherwise before, each with its widget


def gather(tab: Page, address: str, html: str, names: Iterable[str]) -> Gathered:
    """Open the page, and bring one widget after another to life."""
    tab.add_init_script(HOLD)
    # A face that comes too late is not used: here none comes, neither time.
    tab.route("**/*.woff2", lambda route: route.abort())
    show_page(tab, address, html)
    widgets = tab.locator(".widget")
    assert tab.locator("[data-alive]").count() == 0
    before = widgets.evaluate_all(BOXES)
    tab.evaluate("release()")
    for name in names:
        tab.locator(f".widget.{name}").scroll_into_view_if_needed()
        tab.locator(f".widget.{name}[data-alive]").wait_for(timeout=LONG)
    tab.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    tab.wait_for_load_state("networkidle")
    wait_for(tab, RESTS)
    after = widgets.evaluate_all(BOXES)
    # A text in several nodes is a hair wider than in one: nobody sees that.
    moved = [
        f"{name}: {was} is {now}"
        for name, *boxes in zip(names, before, after, strict=True)
        for was, now in zip_longest(*boxes, fillvalue=[])
        if was[:1] != now[:1]
        or any(abs(x - y) > 0.2 for x, y in zip(was[1:], now[1:], strict=True))
    ]
    return Gathered(tab, moved)


@pytest.fixture(scope="module")
def without_python(
    browser: Browser, address: str, figures: dict[str, str], page_of_all: str
) -> Iterator[Gathered]:
    # Where motion is welcome, the GPT of Home begins to learn by itself.
    calm = browser.new_context(viewport=DESK, bypass_csp=True, reduced_motion="reduce")
    with calm as context:
        yield gather(context.new_page(), address, page_of_all, figures)


@pytest.fixture
def gathered(without_python: Gathered) -> Page:
    """All widgets, as narrow as a page may be."""
    without_python.tab.set_viewport_size(NARROW)
    without_python.tab.locator("article details").evaluate_all(OPEN)
    return without_python.tab


@pytest.fixture(scope="module")
def played(
    regular: BrowserContext, address: str, figures: dict[str, str], page_of_all: str
) -> Iterator[Gathered]:
    """All widgets on a phone whose reader wants nothing to move, with Python at hand."""
    tab = still(regular, PHONE)
    yield gather(tab, address, page_of_all, figures)
    tab.close()


@thorough
def test_without_scripts_each_picture_stands_and_no_control_shows(
    browser: Browser, address: str, figures: dict[str, str], page_of_all: str
) -> None:
    assert PICTURES.keys() <= figures.keys()
    with browser.new_context(java_script_enabled=False, viewport=PHONE) as context:
        tab = context.new_page()
        show_page(tab, address, page_of_all)
        missing = [
            f"{name}: {part}"
            for name in figures
            for part in PICTURES.get(name, ".stage > *").split(", ")
            if not tab.locator(f".widget.{name} {part}").first.is_visible()
        ]
        assert not missing, missing
        pressable = tab.locator(PRESSABLE).filter(visible=True)
        assert pressable.evaluate_all("all => all.map(x => x.outerHTML)") == []
        assert tab.evaluate(TOO_WIDE) <= 0


def test_without_scripts_each_switch_of_what_if_leads_to_its_answer(site: Site) -> None:
    page = site.folder / "reference/what-if/index.html"
    html = page.read_text(encoding="utf-8")
    for switch in what_if()["switches"]:
        assert f'href="#{switch["anchor"]}"' in html
        assert f'<h3 id="{switch["anchor"]}">' in html


@thorough
def test_nothing_moves_or_says_otherwise_when_widgets_come_to_life(
    without_python: Gathered, played: Gathered
) -> None:
    assert without_python.moved[:5] == []
    assert played.moved[:5] == []


@thorough
def test_forced_colours_leave_nothing_unseen(gathered: Page) -> None:
    assert_forced_colours_are_kept(gathered, painted=True)


@thorough
def test_at_twice_the_size_nothing_is_lost_or_covers_the_focus(gathered: Page) -> None:
    for screen in (ZOOMED, NARROW):
        gathered.set_viewport_size(screen)
        assert gathered.evaluate(TOO_WIDE) <= 0
        lost = gathered.evaluate(ILLEGIBLE, ".widget")
        assert not lost, lost
        covered = gathered.evaluate(COVERED)
        assert not covered, covered


@thorough
def test_text_with_more_space_around_its_letters_is_whole(gathered: Page) -> None:
    gathered.set_viewport_size(PHONE)
    spaced = gathered.add_style_tag(content=SPACED)
    lost = gathered.evaluate(ILLEGIBLE, ".widget")
    assert not lost, lost
    assert gathered.evaluate(TOO_WIDE) <= 0
    gathered.set_viewport_size(NARROW)
    assert gathered.evaluate(TOO_WIDE) <= 0
    spaced.evaluate("each => each.remove()")


@thorough
def test_axe_finds_no_fault_before_python_starts_while_and_when_it_fails_to(
    gathered: Page,
) -> None:
    tab = gathered
    assert_faultless(tab, ".widget")
    show(tab, "light")
    widgets = tab.locator(".widget")
    assert tab.locator(CONTROLS).evaluate_all(SMALL) == []
    # Python starts, and what asks it waits for it
    waiting: list[Route] = []
    wasm = "**/pyodide.asm.wasm"
    tab.context.route(wasm, lambda route: waiting.append(route))  # not answered yet
    widgets.evaluate_all(TOUCH)
    for button in ("Another expression", "doubled, doubled"):
        tab.locator(".graph").get_by_role("button", name=button).click()
    expect(tab.locator(".widget progress").first).to_be_visible(timeout=LONG)
    assert_no_fault(tab, within=NEW)
    assert tab.evaluate(TOO_WIDE) <= 0
    show(tab, "dark")
    assert_no_fault(tab, COLOURS, NEW)
    # It cannot be loaded, and what asked says so
    show(tab, "light")
    tab.context.route(wasm, lambda route: route.abort())
    for route in waiting:
        route.abort()
    wait_for(tab, f"() => !({BUSY})()")
    expect(widgets.get_by_role("button", name="Try again").first).to_be_visible()
    assert_no_fault(tab, within=NEW)
    assert tab.evaluate(TOO_WIDE) <= 0
    tab.context.unroute_all()


@thorough
def test_each_widget_says_what_it_shows_and_what_becomes_of_a_change(
    played: Gathered,
) -> None:
    tab = played.tab
    tab.set_viewport_size(NARROW)
    show(tab, "light")
    widgets = tab.locator(".widget")
    names = widgets.evaluate_all("all => all.map(x => x.ariaLabel)")
    assert all(names) and len(set(names)) == len(names)
    tab.evaluate(LISTEN)
    before = widgets.evaluate_all(SHOWN)
    # Whatever can be refused is asked for, and its Python answers
    for field in tab.locator(".widget :is(input[type=text], textarea)").all():
        if field.is_visible():
            field.fill("§")
            form = field.locator("xpath=ancestor::form")
            if form.count():
                form.evaluate("form => form.requestSubmit()")
    tab.wait_for_timeout(500)  # who types is given time to go on
    wait_for(tab, f"() => !({BUSY})()")
    assert_no_fault(tab, within=NEW)
    assert tab.locator(".widget [aria-invalid=true]").count() > 8
    assert tab.evaluate(UNSAID) == []
    after = widgets.evaluate_all(SHOWN)
    changed = {name for name, text in before.items() if after[name] != text}
    assert changed == set(), "what stood there did not stay"
    assert tab.evaluate(MOVES) == []
    said = tab.evaluate("said")
    assert {name for name, times in said.items() if times > MANY} == set()


@nightly
def test_after_each_button_was_pressed_a_phone_shows_no_fault(played: Gathered) -> None:
    tab = played.tab
    tab.set_viewport_size(PHONE)
    tab.locator(FREE).evaluate_all(PRESS_ALL)
    wait_for(tab, f"() => !({BUSY})()")
    assert tab.locator(TOUCHED).evaluate_all(TOO_SMALL_FOR_A_FINGER) == []
    assert tab.evaluate(TOO_WIDE) <= 0
    assert_faultless(tab, ".widget")
