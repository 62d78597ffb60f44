"""Drive a widget on its page: press, type, drag, and read what it shows."""

import re
import time
from collections.abc import Callable
from functools import cache
from typing import Self

from playwright.sync_api import BrowserContext, FloatRect, Locator, Page, expect

from tests.processes import ROOT

# Record each announcement of the widget that a screen reader would read.
RECORD_ANNOUNCEMENTS_JS = """root => {
  window.announcements = [];
  const last = new Map([...root.querySelectorAll("[role=status]")].map(x => [x, x.textContent]));
  new MutationObserver(() => {
    [...root.querySelectorAll("[role=status]")].forEach((status, index) => {
      const text = status.textContent;
      if (text && text !== last.get(status)) announcements.push([text, index]);
      last.set(status, text);
    });
  }).observe(root, {subtree: true, childList: true, characterData: true});
}"""
# Replace each text node by an element with the same words, as a browser's translator
# would: scripts that change the old node then change nothing on the page.
TRANSLATE_PAGE_JS = """root => {
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
ROW_TEXTS_JS = """([root, name]) => {
  const text = each => each.textContent.replace(/\\s+/g, " ").trim();
  const row = [...root.querySelectorAll("tr")].find(each => text(each.cells[0]) === name);
  return row && [...row.cells].slice(1).map(text).filter(each => each);
}"""


@cache
def find_widget_pages() -> dict[str, str]:
    """Return the first page that shows each widget."""
    page_by_widget: dict[str, str] = {}
    for path in sorted(ROOT.glob("docs/**/*.md")):
        page = path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        text = path.read_text("utf-8")
        for name in re.findall(r"^```widget\n(\w+)$", text, re.MULTILINE):
            page_by_widget.setdefault(name, "" if page == "index" else f"{page}/")
    return page_by_widget


def parse_number(text: str) -> float:
    """Parse a number as a page shows it: 1,000, −2, 5 %, 3 × 10⁻⁴."""
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    text = text.replace("−", "-").replace("⁻", "-").replace(" × 10", "e")
    return float(text.strip(" %").replace(",", ""))


class WidgetPage:
    """A widget on an open page; actions return it, so that calls can be chained."""

    def __init__(self, tab: Page, name: str) -> None:
        self.tab, self.name = tab, name
        self.root = tab.locator(f"[data-widget={name}]").first

    @classmethod
    def open(
        cls, context: BrowserContext, address: str, name: str, page: str | None = None
    ) -> Self:
        """Open the page of a widget in a new tab, and wait until it is interactive."""
        widget = cls(context.new_page(), name)
        widget.tab.set_default_timeout(20_000)
        path = find_widget_pages()[name] if page is None else page
        widget.tab.goto(address + path, wait_until="commit")
        widget.wait_until_alive()
        return widget

    def wait_until_alive(self) -> None:
        self.root.scroll_into_view_if_needed()
        expect(self.root).to_have_attribute("data-hydrated", "")
        self.root.evaluate(RECORD_ANNOUNCEMENTS_JS)
        self.root.evaluate(TRANSLATE_PAGE_JS)

    def bounding_box(self, selector: str) -> FloatRect:
        box = self.find(selector).bounding_box()
        assert box is not None, f"{self.name} has no {selector}"
        return box

    def find(self, selector: str, has_text: re.Pattern[str] | None = None) -> Locator:
        return self.root.locator(selector, has_text=has_text)

    def button(self, name: str, within: str | None = None) -> Locator:
        """Return the button of that name, or the first whose name begins with it."""
        where = self.find(within) if within else self.root
        exact = where.get_by_role("button", name=name, exact=True)
        start = re.compile(f"^{re.escape(name)}")
        named = exact if exact.count() else where.get_by_role("button", name=start)
        return named.first

    def slider(self, name: str = "") -> Locator:
        """Return the first slider whose name begins with these words."""
        start = re.compile(f"^{re.escape(name)}")
        return self.root.get_by_role("slider", name=start).first

    def field(self, label: str = "A name") -> Locator:
        """Return the field of that label, or the first whose label contains it."""
        exact = self.root.get_by_label(label, exact=True)
        return exact if exact.count() else self.root.get_by_label(label).first

    def press(self, *names: str, within: str | None = None) -> Self:
        """Press buttons with the keyboard."""
        for name in names:
            self.button(name, within).press("Enter")
        return self.check_focus_and_announcements()

    def press_keys(self, target: str | Locator, *keys: str) -> Self:
        """Focus an element and press keys."""
        element = self.find(target).first if isinstance(target, str) else target
        element.focus()
        for key in keys:
            self.tab.keyboard.press(key)
        return self.check_focus_and_announcements()

    def move_slider(self, name: str, value: float | str) -> Self:
        """Drag a slider to a value, or press a key on it."""
        slider = self.slider(name)
        slider.press(value) if isinstance(value, str) else slider.fill(f"{value:g}")
        return self.check_focus_and_announcements()

    def type_text(self, text: str, label: str = "A name", enter: bool = True) -> Self:
        field = self.field(label)
        field.fill(text)
        if enter:
            field.press("Enter")
        return self.check_focus_and_announcements()

    def choose_option(self, label: str, option: str) -> Self:
        field = self.field(label)
        field.focus()
        field.select_option(option)
        return self.check_focus_and_announcements()

    def check_focus_and_announcements(self) -> Self:
        """Assert that focus stays and nothing is announced twice; then translate the page."""
        focused, announcements = self.root.evaluate(
            "root => [root.contains(document.activeElement), announcements.splice(0)]"
        )
        assert focused, "the focus is lost"
        texts = [text for text, _ in {*map(tuple, announcements)}]
        assert len(texts) == len(set(texts)), announcements
        self.root.evaluate(TRANSLATE_PAGE_JS)
        return self

    def expect_texts(self, *texts: str) -> Self:
        """Wait until all texts are in the accessibility tree."""
        expect(self.find("[data-busy=true]")).to_have_count(0)
        end = time.monotonic() + 10
        while missing := [x for x in texts if x not in self.root.aria_snapshot()]:
            snapshot = self.root.aria_snapshot()
            assert time.monotonic() < end, f"{missing} not in\n{snapshot}"
            self.tab.wait_for_timeout(30)
        return self

    def row_texts(self, name: str) -> list[str]:
        """Return the texts of a table row without its name."""
        root = self.root.element_handle()
        cells: list[str] | None = self.tab.evaluate(ROW_TEXTS_JS, [root, name])
        assert cells is not None, f"no row {name}"
        return cells

    def strip_numbers(self, strip: str) -> list[float]:
        """Return the numbers of the strip whose name begins with these words."""
        start = re.compile(f"^{re.escape(strip)}")
        options = self.root.get_by_role("listbox", name=start).get_by_role("option")
        names = options.evaluate_all("all => all.map(each => each.ariaLabel)")
        return [parse_number(re.split(" = |: ", name)[-1]) for name in names]

    def row_numbers(self, name: str) -> list[float]:
        """Return the numbers of a table row."""
        return [*map(parse_number, self.row_texts(name))]


OpenWidget = Callable[..., WidgetPage]  # the type of the fixture `open_widget`
