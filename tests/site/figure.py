"""A widget on its page, as readers meet it, and what they can do to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from playwright.sync_api import BrowserContext, FloatRect, Locator, Page, expect

from tests.promises.site import ROOT
from tests.site.browsing import LONG

FENCE = re.compile(r"^```widget\n(\w+)$", re.MULTILINE)


@cache
def homes() -> dict[str, str]:
    """The page that shows each widget first."""
    found: dict[str, str] = {}
    for path in sorted(ROOT.glob("docs/**/*.md")):
        page = path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for name in FENCE.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name, "" if page == "index" else f"{page}/")
    return found


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

    def asked_python(self) -> bool:
        """Tell whether the page has asked Python something."""
        return bool(self.tab.evaluate("!!window.pythonAsked"))

    def box(self, selector: str) -> FloatRect:
        box = self.find(selector).bounding_box()
        assert box is not None, f"{self.name} has no {selector}"
        return box

    # What readers do

    def find(self, selector: str, has_text: re.Pattern[str] | None = None) -> Locator:
        return self.root.locator(selector, has_text=has_text)

    def button(self, name: str, within: str | None = None) -> Locator:
        """The button of that name, or else the first whose name begins so."""
        where = self.find(within) if within else self.root
        exact = where.get_by_role("button", name=name, exact=True)
        start = re.compile(f"^{re.escape(name)}")
        named = exact if exact.count() else where.get_by_role("button", name=start)
        return named.first

    def slider(self, name: str = "") -> Locator:
        """The slider whose name begins like this."""
        start = re.compile(f"^{re.escape(name)}")
        return self.root.get_by_role("slider", name=start).first

    def field(self, label: str = "A name") -> Locator:
        """The field of that label, or else one whose label has these words."""
        exact = self.root.get_by_label(label, exact=True)
        return exact if exact.count() else self.root.get_by_label(label).first

    def press(self, *names: str, within: str | None = None) -> None:
        """Press buttons with the keyboard."""
        for name in names:
            self.button(name, within).press("Enter")

    def keys(self, at: str | Locator, *keys: str) -> None:
        """Press keys, the first where the selector or locator says."""
        target = self.find(at).first if isinstance(at, str) else at
        target.focus()
        for key in keys:
            self.tab.keyboard.press(key)

    def slide(self, name: str, to: float | str) -> None:
        """Drag a slider to a value, or press a key on it."""
        slider = self.slider(name)
        slider.press(to) if isinstance(to, str) else slider.fill(f"{to:g}")

    def type(self, text: str, label: str = "A name", enter: bool = True) -> None:
        field = self.field(label)
        field.fill(text)
        if enter:
            field.press("Enter")

    def choose(self, label: str, option: str) -> None:
        self.field(label).select_option(option)


# The fixture `open_figure`
Open = Callable[..., Figure]
