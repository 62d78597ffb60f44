"""Check the accessibility of a page with axe-core, in both colour schemes."""

from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, ViewportSize

from tests.site.browsing import wait_until_true

AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE_COLOUR_RULES = ["color-contrast", "link-in-text-block"]  # may differ by scheme
# WCAG 1.4.10: no need to scroll in two directions at this width
NARROW_SIZE: ViewportSize = {"width": 320, "height": 900}
# Only violations: what passes is a long list that nobody reads.
RUN_AXE_JS = """async ([within, runOnly]) => {
  // A tooltip of the theme may be open where the mouse rests.
  const context = {include: [within], exclude: [".md-tooltip2"]};
  return (await axe.run(context, {runOnly, resultTypes: ["violations"]})).violations;
}"""
# During a transition, a colour is that of neither state.
TRANSITIONS_ENDED_JS = "!document.getAnimations().some(x => x instanceof CSSTransition)"
# Each element of a page: its tag, its own colours and, in a widget, what it paints.
# The closed drawer of a small screen is not drawn, so its colours may be outdated.
PAINTED_COLOURS_JS = """() => [...document.querySelectorAll("body *")]
  .filter(each => !each.closest(".md-sidebar--primary") || each.checkVisibility())
  .flatMap(each => ["", "::before", "::after"].map(part => {
    const style = getComputedStyle(each, part);
    const {fill, stroke, color, backgroundColor, backgroundImage, boxShadow} = style;
    const ground = [backgroundColor, backgroundImage, boxShadow];
    const drawn = each instanceof SVGGeometryElement ? [fill, stroke] : ground;
    const own = each instanceof SVGElement ? [fill, stroke] : [color, backgroundColor];
    const shown = each.closest(".widget") && !(part && style.content == "none");
    return [each.cloneNode(false).outerHTML.slice(0, 120) + part, own, shown ? drawn : []];
  }))"""
OPEN_DETAILS_JS = "all => all.forEach(details => details.open = true)"
# Elements that are covered while focused, going back by keyboard (WCAG 2.4.11)
COVERED_FOCUS_STOPS_JS = """within => {
  const stops = `${within} :is(a, button, input, select, textarea, [tabindex='0'])`;
  const all = Array.from(document.querySelectorAll(stops)).reverse();
  return all.filter(each => {
    if (each.tabIndex < 0 || !each.checkVisibility({visibilityProperty: true})) return false;
    each.focus();
    const shown = each.closest("label, .bar-row, .token") ?? each;
    const parts = [0.1, 0.5, 0.9].flatMap(x => [0.1, 0.5, 0.9].map(y => [x, y]));
    return document.activeElement === each && !parts.some(([x, y]) =>
      [...shown.getClientRects()].some(({left, top, width, height}) => {
        const at = document.elementFromPoint(left + x * width, top + y * height);
        return shown.contains(at) || (at && at.contains(shown));
      }));
  }).map(each => each.outerHTML.slice(0, 120));
}"""
# Texts that are cut off or overlap; texts in SVG pictures are not checked.
CUT_OR_OVERLAPPING_TEXTS_JS = """within => {
  const wrong = [];
  const isSticky = each => each
    && (getComputedStyle(each).position == "sticky" || isSticky(each.parentElement));
  for (const part of document.querySelectorAll(within)) {
    const texts = [];
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const {data, parentElement: parent} = walker.currentNode;
      const text = data.trim().slice(0, 40);
      if (!text || parent.closest("svg, .sr-only, script, option, textarea, .mirror")) continue;
      const visible = {visibilityProperty: true, opacityProperty: true};
      if (!parent.checkVisibility(visible)) continue;
      // A sticky element covers what scrolls below it.
      if (isSticky(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (let {left, right, top, bottom} of range.getClientRects()) {
        for (let up = parent; up !== document.body; up = up.parentElement) {
          const {overflowX, overflowY, display} = getComputedStyle(up);
          const overflow = overflowX + overflowY;
          if (display == "inline" || overflow == "visiblevisible") continue;
          const clip = up.getBoundingClientRect();
          const beyond = Math.max(clip.left - left, right - clip.right) > 2;
          const above = Math.max(clip.top - top, bottom - clip.bottom) > 3;
          if (!/auto|scroll/.test(overflow) && (beyond || above)) wrong.push(`cut: ${text}`);
          [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
          [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
        }
        if (left < right && top < bottom) texts.push({parent, text, left, right, top, bottom});
      }
    }
    for (const [index, a] of texts.entries())
      for (const b of texts.slice(index + 1))
        if (a.parent !== b.parent
            && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 8)
          wrong.push(`${a.text} on ${b.text}`);
  }
  return wrong;
}"""


def set_colour_scheme(tab: Page, scheme: Literal["light", "dark"]) -> None:
    """Emulate the system's colour scheme; wait until the page follows."""
    tab.emulate_media(color_scheme=scheme)
    wait_until_true(tab, f"getComputedStyle(document.body).colorScheme == '{scheme}'")


def assert_no_axe_violations(
    tab: Page, rules: list[str] = AXE_RULES, within: str = "html"
) -> None:
    """Fail with each violation of WCAG 2 (A and AA) or best practice, and its element."""
    wait_until_true(tab, TRANSITIONS_ENDED_JS)
    # Axe measures no contrast on a gradient; here gradients only shade an edge.
    no_gradients = ".md-typeset * { background-image: none !important; }"
    tab.add_style_tag(content=no_gradients)
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(AXE_SCRIPT)
    violations = [
        f"{violation['help']}: {node['html']}\n{node['failureSummary']}"
        for violation in tab.evaluate(RUN_AXE_JS, [within, rules])
        for node in violation["nodes"]
    ]
    assert not violations, "\n".join(violations)


def assert_accessible_in_both_schemes(tab: Page, within: str) -> None:
    """Check part of a page with axe: all rules in light, colour rules in dark, too."""
    set_colour_scheme(tab, "light")
    assert_no_axe_violations(tab, AXE_RULES, within)
    set_colour_scheme(tab, "dark")
    assert_no_axe_violations(tab, AXE_COLOUR_RULES, within)


def assert_forced_colours_work(tab: Page) -> None:
    """Check a page while the system forces its own colours (high contrast).

    No colour may depend on the page's scheme, and all that widgets paint must still be
    visible.
    """

    def list_painted_parts() -> list[tuple[str, list[str], bool]]:
        wait_until_true(tab, TRANSITIONS_ENDED_JS)
        background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        unseen = {background, "none", "rgba(0, 0, 0, 0)"}
        parts = tab.evaluate(PAINTED_COLOURS_JS)
        return [(name, own, not unseen.issuperset(drawn)) for name, own, drawn in parts]

    before = list_painted_parts()
    tab.emulate_media(forced_colors="active")
    parts_by_scheme = []
    for scheme in ("slate", "default"):
        tab.locator("body").evaluate("(x, to) => x.dataset.mdColorScheme = to", scheme)
        parts_by_scheme.append(list_painted_parts())
    tab.emulate_media(forced_colors="none")
    pairs = zip(*parts_by_scheme, strict=True)
    own = [name for (name, *dark), (_, *light) in pairs if dark != light]
    assert not own, f"colours that are not forced: {own}"
    pairs = zip(before, parts_by_scheme[1], strict=True)
    invisible = [name for (name, _, drawn), (*_, still) in pairs if drawn and not still]
    assert not invisible, f"invisible in forced colours: {invisible}"
