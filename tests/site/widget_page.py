"""A widget on its page, as readers meet it, and what they can do to it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import cache

from playwright.sync_api import BrowserContext, FloatRect, Locator, Page, expect

from tests.promises.site import ROOT
from tests.site.browsing import LONG

FENCE = re.compile(r"^```widget\n(\w+)$", re.MULTILINE)
# Remember each announcement that a screen reader would make of the widget.
LISTEN = """root => {
  window.said = [];
  const last = new Map([...root.querySelectorAll("[role=status]")].map(x => [x, x.textContent]));
  new MutationObserver(() => {
    [...root.querySelectorAll("[role=status]")].forEach((status, index) => {
      const text = status.textContent;
      if (text && text !== last.get(status)) said.push([text, index]);
      last.set(status, text);
    });
  }).observe(root, {subtree: true, childList: true, characterData: true});
}"""
# What a browser's translator does: each text gives way to an element, and scripts that
# still hold the text change what nobody sees. This one "translates" into the same words.
TRANSLATE = """root => {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const all = [];
  while (texts.nextNode()) all.push(texts.currentNode);
  for (const text of all) {
    const around = text.parentElement;
    if (!around.translate || around.matches("script, style, font, option")) continue;
    const font = document.createElement("font");
    font.append(text.data);
    text.replaceWith(font);
  }
}"""
ROW = """([root, name]) => {
  const text = each => each.textContent.replace(/\\s+/g, " ").trim();
  const row = [...root.querySelectorAll("tr")].find(each => text(each.cells[0]) === name);
  return row && [...row.cells].slice(1).map(text).filter(each => each);
}"""


@cache
def homes() -> dict[str, str]:
    """Return the first page that shows each widget."""
    found: dict[str, str] = {}
    for path in sorted(ROOT.glob("docs/**/*.md")):
        page = path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for name in FENCE.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name, "" if page == "index" else f"{page}/")
    return found


def number(text: str) -> float:
    """Read a number as readers see it."""
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    text = text.replace("−", "-").replace("⁻", "-").replace(" × 10", "e")
    return float(text.strip(" %").replace(",", ""))


class Figure:
    """A widget on its page."""

    def __init__(self, tab: Page, name: str) -> None:
        self.tab, self.name = tab, name
        self.root = tab.locator(f"[data-widget={name}]").first

    @classmethod
    def open(
        cls, context: BrowserContext, address: str, name: str, page: str | None = None
    ) -> Figure:
        """Open the page of a widget in a new tab, and wait until it can be touched."""
        figure = cls(context.new_page(), name)
        figure.tab.set_default_timeout(20_000)
        home = homes()[name] if page is None else page
        figure.tab.goto(address + home, wait_until="commit")
        figure.comes_alive()
        return figure

    def comes_alive(self) -> None:
        self.root.scroll_into_view_if_needed()
        expect(self.root).to_have_attribute("data-alive", "", timeout=LONG)
        self.root.evaluate(LISTEN)
        self.root.evaluate(TRANSLATE)

    def box(self, selector: str) -> FloatRect:
        box = self.find(selector).bounding_box()
        assert box is not None, f"{self.name} has no {selector}"
        return box

    # What readers do

    def find(self, selector: str, has_text: re.Pattern[str] | None = None) -> Locator:
        return self.root.locator(selector, has_text=has_text)

    def button(self, name: str, within: str | None = None) -> Locator:
        """Return the button of that name, or the first whose name begins so."""
        where = self.find(within) if within else self.root
        exact = where.get_by_role("button", name=name, exact=True)
        start = re.compile(f"^{re.escape(name)}")
        named = exact if exact.count() else where.get_by_role("button", name=start)
        return named.first

    def slider(self, name: str = "") -> Locator:
        """Return the slider whose name begins like this."""
        start = re.compile(f"^{re.escape(name)}")
        return self.root.get_by_role("slider", name=start).first

    def field(self, label: str = "A name") -> Locator:
        """Return the field of that label, or one whose label has these words."""
        exact = self.root.get_by_label(label, exact=True)
        return exact if exact.count() else self.root.get_by_label(label).first

    def press(self, *names: str, within: str | None = None) -> Figure:
        """Press buttons with the keyboard."""
        for name in names:
            self.button(name, within).press("Enter")
        return self.acted()

    def keys(self, at: str | Locator, *keys: str) -> Figure:
        """Press keys, the first where the selector or locator says."""
        target = self.find(at).first if isinstance(at, str) else at
        target.focus()
        for key in keys:
            self.tab.keyboard.press(key)
        return self.acted()

    def slide(self, name: str, to: float | str) -> Figure:
        """Drag a slider to a value, or press a key on it."""
        slider = self.slider(name)
        slider.press(to) if isinstance(to, str) else slider.fill(f"{to:g}")
        return self.acted()

    def type(self, text: str, label: str = "A name", enter: bool = True) -> Figure:
        field = self.field(label)
        field.fill(text)
        if enter:
            field.press("Enter")
        return self.acted()

    def choose(self, label: str, option: str) -> Figure:
        field = self.field(label)
        field.focus()
        field.select_option(option)
        return self.acted()

    def acted(self) -> Figure:
        """Assert that the focus is still here and nothing is announced twice; translate on."""
        focused, said = self.root.evaluate(
            "root => [root.contains(document.activeElement), said.splice(0)]"
        )
        assert focused, "the focus is lost"
        texts = [text for text, _ in {*map(tuple, said)}]
        assert len(texts) == len(set(texts)), said
        self.root.evaluate(TRANSLATE)
        return self

    # What readers find

    def shows(self, *texts: str) -> Figure:
        """Wait until all texts are part of what a screen reader finds."""
        expect(self.find("[data-busy=true]")).to_have_count(0, timeout=LONG)
        end = time.monotonic() + 10
        while missing := [text for text in texts if text not in self.reads()]:
            assert time.monotonic() < end, f"{missing} not in\n{self.reads()}"
            self.tab.wait_for_timeout(30)
        return self

    def reads(self) -> str:
        return self.root.aria_snapshot()

    def row(self, name: str) -> list[str]:
        """Return the cells beside a name in a table."""
        cells: list[str] | None = self.tab.evaluate(
            ROW, [self.root.element_handle(), name]
        )
        assert cells is not None, f"no row {name} in\n{self.reads()}"
        return cells

    def cells(self, strip: str) -> list[float]:
        """Return the numbers in a strip whose name begins like this."""
        start = re.compile(f"^{re.escape(strip)}")
        options = self.root.get_by_role("listbox", name=start).get_by_role("option")
        names = options.evaluate_all("all => all.map(each => each.ariaLabel)")
        return [number(re.split(" = |: ", name)[-1]) for name in names]

    def numbers(self, name: str) -> list[float]:
        return [*map(number, self.row(name))]

    def number(self, name: str) -> float:
        """Return the number beside a name in a table."""
        return self.numbers(name)[0]


# The fixture `open_figure`
Open = Callable[..., Figure]
