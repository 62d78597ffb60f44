"""What axe-core says of a page, and the page's two colour schemes."""

from collections.abc import Sequence
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, ViewportSize

from tests.site.browsing import wait_for

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # all that a scheme decides
# WCAG 1.4.10: no need to scroll in two directions at this width
NARROW: ViewportSize = {"width": 320, "height": 900}
# What holds is long to tell, and nobody asks.
RUN = """async ([within, runOnly, without]) => {
  const rules = Object.fromEntries(without.map(rule => [rule, {enabled: false}]));
  const options = {runOnly, rules, resultTypes: ["violations"]};
  // The theme's tooltips come where a mouse happens to rest.
  const context = {include: [within ?? "html"], exclude: [".md-tooltip2"]};
  const found = await axe.run(context, options);
  return found.violations;
}"""
SHOWN = "scheme => getComputedStyle(document.body).colorScheme == scheme"
# Axe measures no contrast on a gradient; here gradients only shade an edge.
FLAT = ".md-typeset * { background-image: none !important; }"
# A colour on its way to another is neither.
RESTS = "() => document.getAnimations().every(each => !(each instanceof CSSTransition))"

# How each part of a page is painted: its name, its lines and fill, or its text and ground.
# The drawer of a small screen, while it is closed, is not drawn: colours stay what they were.
PAINT = """() => [...document.querySelectorAll("body *")]
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
PAPER = "getComputedStyle(document.body).backgroundColor"
OPEN = "all => all.forEach(details => details.open = true)"
# Who goes back through a page by keyboard: what has the focus, but is covered (WCAG 2.4.11)
COVERED = """within => {
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
# Texts that are cut off, or stand on each other; signs and numbers in pictures are drawn.
ILLEGIBLE = """within => {
  const wrong = [];
  const lies = each => each && (getComputedStyle(each).position == "sticky" || lies(each.parentElement));
  for (const part of document.querySelectorAll(within)) {
    const texts = [];
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const {data, parentElement: parent} = walker.currentNode;
      const text = data.trim().slice(0, 40);
      if (!text || parent.closest("svg, .sr-only, script, option, textarea, .mirror")) continue;
      const visible = {visibilityProperty: true, opacityProperty: true};
      if (!parent.checkVisibility(visible)) continue;
      // What stays in view lies over what is scrolled below it.
      if (lies(parent)) continue;
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


def show(tab: Page, scheme: Scheme) -> None:
    """Let the system ask for a scheme; the page follows."""
    tab.emulate_media(color_scheme=scheme)
    wait_for(tab, SHOWN, scheme)


def assert_no_fault(
    tab: Page,
    rules: list[str] = RULES,
    within: str | None = None,
    without: Sequence[str] = (),
) -> None:
    """Say what breaks WCAG 2 (A and AA) or good practice, each with its element."""
    wait_for(tab, RESTS)
    tab.add_style_tag(content=FLAT)
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(AXE_SCRIPT)
    found = [
        f"{violation['id']}: {violation['help']}: {node['html']}"
        f"\n{node['failureSummary']}"
        for violation in tab.evaluate(RUN, [within, rules, without])
        for node in violation["nodes"]
    ]
    assert not found, "\n".join(found)


def assert_faultless(tab: Page, within: str) -> None:
    """Look at a part in both schemes; all but colours is the same in either."""
    for scheme, rules in zip(SCHEMES, (RULES, COLOURS), strict=True):
        show(tab, scheme)
        assert_no_fault(tab, rules, within)


def assert_forced_colours_are_kept(tab: Page) -> None:
    """Look at a page as one whose system forces its own colours on all.

    No colour may be the page's own: then what it shows does not depend on its scheme.
    And all that widgets paint must still show, though grounds are forced as well.
    """

    def seen() -> list[tuple[str, list[str], bool]]:
        wait_for(tab, RESTS)
        unseen = {tab.evaluate(PAPER), "none", "rgba(0, 0, 0, 0)"}
        parts = tab.evaluate(PAINT)
        return [(name, own, not unseen.issuperset(drawn)) for name, own, drawn in parts]

    before = seen()
    tab.emulate_media(forced_colors="active")
    looks = []
    for scheme in ("slate", "default"):
        tab.locator("body").evaluate("(x, to) => x.dataset.mdColorScheme = to", scheme)
        looks.append(seen())
    tab.emulate_media(forced_colors="none")
    own = [name for (name, *now), (_, *day) in zip(*looks, strict=True) if now != day]
    assert not own, f"colours of the page's own: {own}"
    pairs = zip(before, looks[1], strict=True)
    lost = [name for (name, _, drawn), (*_, still) in pairs if drawn and not still]
    assert not lost, f"not to be seen any more: {lost}"
