"""A widget on its page, as readers meet it: what it shows, and what they can do to it.

A test says what to do and what must then be seen:

    figure.press("One step on")
    figure.shows({".words": step["says"], numbers(".readout td"): approx(step["loss"])})
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from time import monotonic
from typing import Any

from playwright.sync_api import (
    BrowserContext,
    FloatRect,
    Locator,
    Page,
    Position,
    Request,
    expect,
)

from tests.promises.site import ROOT
from tests.site.browsing import LONG
from tests.site.see import CONVERSIONS, RAW, Part, agrees, containing

FENCE = re.compile(r"^```widget\n(\w+)$", re.MULTILINE)
# Seconds that a figure may take to show what it should, once Python is at rest
PATIENCE = 5.0
READ = """(root, asked) => {
  const words = (text) => text.replace(/\\s+/g, " ").trim();
  const look = {
    text: (each) => words(each.textContent),
    count: () => 1,
    style: (each, name) => parseFloat(each.style.getPropertyValue(name)) || 0,
    attribute: (each, name) => each.getAttribute(name),
    matches: (each, selector) => each.matches(selector),
    shades: (each) => [...each.querySelectorAll(".cells svg path:not(.below)")]
      .map((path) => [path.style.fill, path.getAttribute("d")]),
  };
  return {
    busy: root.querySelector("[data-busy=true]") !== null,
    stale: root.querySelector(".stale") !== null,
    found: asked.map(([selector, kind, name]) =>
      [...root.querySelectorAll(selector)].map((each) => look[kind](each, name))),
  };
}"""


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
        self.asked: list[str] = []
        tab.on("request", self._note)

    def _note(self, request: Request) -> None:
        self.asked.append(request.url)

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

    @property
    def given(self) -> dict[str, Any]:
        """The parameters that the page begins with."""
        known = json.loads(self.root.locator("script").text_content() or "")
        return dict(known["parameters"])

    def asked_python(self) -> bool:
        """Tell whether the page has asked Python something."""
        return bool(self.tab.evaluate("!!window.pythonAsked"))

    # What it shows

    def shows(
        self, expected: Mapping[str | Part, object], refusal: str | None = None
    ) -> None:
        """Wait until Python is at rest and the figure shows this.

        A selector stands for the texts of its elements: a list for all of them, or a
        text for the only one. With a refusal, what was there before may stay.
        """
        parts = [Part(x) if isinstance(x, str) else x for x in expected]
        wanted = dict(zip(parts, expected.values()))
        if refusal:
            wanted[Part(".refusal")] = containing(refusal)
        last = monotonic() + LONG / 1000
        end = monotonic() + PATIENCE
        while True:
            busy, stale, found = self._read(list(wanted))
            wrong = {
                part: (seen, want)
                for (part, want), seen in zip(wanted.items(), found)
                if not agrees(seen, want)
            }
            stale = stale and refusal is None
            if not (busy or stale or wrong):
                return
            now = monotonic()
            if busy:
                end = min(last, now + PATIENCE)
            if now > end:
                break
            self.tab.wait_for_timeout(20)
        lines = [f"{self.name}: stale" * stale, f"{self.name}: busy" * busy]
        for part, (seen, want) in wrong.items():
            what = " ".join(filter(None, [part.kind, part.name]))
            lines.append(f"{part.selector} ({what})\n  shows {seen}\n  not   {want}")
        raise AssertionError("\n".join(filter(None, lines)))

    def _read(self, parts: Sequence[Part]) -> tuple[bool, bool, list[list[Any]]]:
        asked = [[p.selector, RAW.get(p.kind, p.kind), p.name] for p in parts]
        seen = self.root.evaluate(READ, asked)
        found = [
            list(map(CONVERSIONS.get(part.kind, lambda raw: raw), raws))
            for part, raws in zip(parts, seen["found"])
        ]
        for part, all_ in zip(parts, found):
            if part.kind == "count":
                all_[:] = [len(all_)]
        return bool(seen["busy"]), bool(seen["stale"]), found

    def read(self, part: str | Part) -> list[Any]:
        """What stands there now."""
        _, _, (found,) = self._read([Part(part) if isinstance(part, str) else part])
        return found

    def refuses(self, reason: str) -> None:
        """Wait until Python's refusal is told."""
        expect(self.root.locator(".refusal")).to_contain_text(reason, timeout=LONG)

    def height(self) -> int:
        return round(self.box()["height"])

    def box(self, selector: str | None = None) -> FloatRect:
        box = (self.find(selector) if selector else self.root).bounding_box()
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

    def click_cell(
        self, cells: Locator, at: tuple[int, int], of: tuple[int, int]
    ) -> None:
        """Click on a cell of a matrix that has so many rows and columns."""
        cells.click(position=middle(cells, at, of))


def middle(cells: Locator, at: tuple[int, int], of: tuple[int, int]) -> Position:
    """Where the middle of a cell lies, from the corner of its matrix."""
    box = cells.bounding_box()
    assert box is not None
    (row, column), (rows, columns) = at, of
    across, down = box["width"] / columns, box["height"] / rows
    return {"x": (column + 0.5) * across, "y": (row + 0.5) * down}


# The fixture `open_figure`
Open = Callable[..., Figure]
