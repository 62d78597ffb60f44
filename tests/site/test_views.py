"""What readers find in a widget, and what comes of what they do there, is a text that people have read.

A text of `views/` tells a story: each line that begins with `>` does something, and below it
stands what is then read otherwise, line by line. `uv run poe views` writes all but these
lines anew; read the difference. A widget's numbers are Python's, as its model's tests prove,
or the page's own: those are compared with the package in `test_told.py` and
`test_told_models.py`.
"""

from __future__ import annotations

import difflib
import os
import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, Locator, ViewportSize, expect

from tests.site.accessibility import assert_faultless
from tests.site.browsing import DESK, LONG, PHONE, TOO_WIDE, still
from tests.site.figure import Figure, homes
from tests.site.stories import STORIES, lines_of, told
from tests.thorough import nightly, one_of_each, thorough
from weave.files import replace

WRITE = bool(os.environ.get("WRITE_VIEWS"))
# What is read of a page that is told of for more than a widget
PARTS = {"home": "table", "chapter": "h1, .so-far, #block-1"}
# What fingers touch
TOUCHED = """.widget :is(button, select, .place, .file,
  input:not([type=checkbox], [type=radio], [type=file]))"""
TOO_SMALL_FOR_A_FINGER = """all => all.filter(each => {
  if (!each.checkVisibility({visibilityProperty: true})) return false;
  if (each.closest(".sr-only")) return false;
  const {width, height} = each.getBoundingClientRect();
  const least = each.closest(".bars, .tokens") ? 24 : 36;
  return width > 0 && Math.min(width, height) < least;
}).map(each => each.outerHTML.slice(0, 200))"""
# An address is written, what was typed is taken, and a result is said once a reader has
# paused: a story does not wait. And luck comes by turns.
HURRIED = """const later = setTimeout;
setTimeout = (act, pause) => later(act, [400, 1000].includes(pause) ? 0 : pause);
let drawn = 0;
Math.random = () => (drawn++ % 4) / 4;"""
SLIDER = re.compile(r"""^( *- '?slider "[^"]*"'?).*""", re.MULTILINE)
# A button, a link or a row, and all that is deeper
STOP = re.compile(
    r"""^( *)(- '?(?:button|link|row) "(?:[^"\\]|\\.)*"[^:\n]*).*\n(?:\1 .*\n)*""",
    re.MULTILINE,
)
# Words in a row, some of which stand out
WORDS = re.compile(
    r"^( *)(- (?:listitem|paragraph):)\n((?:\1  - (?:text|mark|strong): .*\n)+)(?!\1 )",
    re.MULTILINE,
)
# What is not chosen in a list
UNSEEN = re.compile(r"^ *- '?option (?!.*\[selected\]).*\n", re.MULTILINE)
# What eyes alone find: how long bars are and how strong, what kinds of parts there are, and
# a checksum of what is drawn; then where the focus is, and what the page has come to
LOOKS = """root => {
  // The name typed last is offered a second after it was typed: a story doesn't wait so long.
  for (const each of root.querySelectorAll(".own-name")) each.style.display = "none";
  const parts = new Map();
  const round = text => text.replace(/-?\\d+\\.\\d+/g, x => `${+(+x).toFixed(1)}`);
  for (const each of root.querySelectorAll(".stage *")) {
    const drawn = each instanceof SVGGeometryElement;
    const styled = [...each.style].map(x => round(each.style.getPropertyValue(x))).join(" ");
    const told = drawn || styled || each.classList.length > 1 || each.localName == "mark";
    if (!told || each.matches(".controls, .wrap, .columns, .highlight")) continue;
    if (!each.checkVisibility({visibilityProperty: true})) continue;
    const name = [each.localName, ...each.classList].join(".");
    const shape = drawn ? [...each.attributes].map(x => `${x.name} ${round(x.value)}`) : [];
    const text = each.textContent.trim();
    const looks = styled || (text.length < 12 ? text : "");
    parts.set(name, [...(parts.get(name) ?? []), [looks, shape.join()]]);
  }
  const sum = text => [...text].reduce((s, x) => (s * 31 + x.charCodeAt()) | 0, 7) >>> 0;
  const lines = [...parts].map(([name, all]) => {
    const shapes = all.map(([, shape]) => shape).join("");
    const styles = shapes ? sum(shapes + all).toString(36) : all.map(([style]) => style).join(", ");
    return `${name} × ${all.length}: ${styles}`.replace(/:[ ,]*$/, "");
  });
  const at = document.activeElement;
  if (root.contains(at)) {
    const named = at.ariaLabel || at.labels?.[0]?.textContent || at.textContent;
    lines.push(`focus: ${named.replace(/\\s+/g, " ").trim().slice(0, 60)}`);
  }
  if (location.search) lines.push(`address: ${decodeURIComponent(location.search)}`);
  if (window.pythonAsked) lines.push("Python was asked");
  const scales = [...root.querySelectorAll("input[type=range]")].filter(x => x.checkVisibility());
  return {
    busy: root.querySelector("[data-busy=true]") !== null,
    height: Math.round(root.getBoundingClientRect().height),
    looks: lines.join("\\n") + "\\n",
    values: scales.map(x => x.ariaValueText),
  };
}"""


# What a browser's translator does: each text gives way to an element, and scripts that
# still hold the text change what nobody sees. This one "translates" into the same words.
TRANSLATE = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const all = [];
  while (texts.nextNode()) all.push(texts.currentNode);
  for (const text of all) {
    const around = text.parentElement;
    if (!around.translate || around.matches("script, style, font")) continue;
    const font = document.createElement("font");
    font.append(text.data);
    text.replaceWith(font);
  }
}"""


def read(part: Locator, values: Iterable[str] = ()) -> str:
    """The tree of a part, as it is read: sliders with their values in words, and each
    button, link, row and list as one stop, without what is in it or where it leads."""
    said = iter(values)
    tree = SLIDER.sub(
        lambda it: f"{it[1]}: {next(said, '')}", part.aria_snapshot() + "\n"
    )
    tree = WORDS.sub(lambda it: f"{it[1]}{it[2]}{joined(it[3])}\n", tree)
    return UNSEEN.sub("", STOP.sub(r"\1\2\n", tree))


def joined(lines: str) -> str:
    return "".join(f" {line.partition(': ')[2]}" for line in lines.splitlines())


class Teller:
    """A reader who wants nothing to move and does what a story says."""

    def __init__(
        self,
        context: BrowserContext,
        address: str,
        name: str,
        screen: ViewportSize = DESK,
    ) -> None:
        tab = still(context, screen)
        tab.set_default_timeout(20_000)
        tab.add_init_script(HURRIED)
        self.figure, self.address = Figure(tab, name.partition("-")[0]), address
        self.parts, self.told, self.height = PARTS.get(name), "", 0

    def do(self, line: str) -> None:
        """Do what a line says: `press One step on` or `slide β: Home`."""
        verb, _, rest = line.partition(" ")
        what, _, how = rest.partition(": ")
        figure = self.figure
        acts: dict[str, Callable[[], object]] = {
            "open": lambda: self.open(rest),
            "press": lambda: figure.press(*rest.split(" | ")),
            "slide": lambda: figure.slide(
                what, how if how.isalpha() or how in "+-" else float(how)
            ),
            "type": lambda: figure.type(how, what),
            "write": lambda: figure.type(how, what, enter=False),
            "choose": lambda: figure.choose(what, how),
            "check": lambda: figure.root.get_by_label(rest).press("Space"),
            "keys": lambda: figure.keys(what, *how.split()),
            "click": lambda: figure.find(rest).click(),
        }
        acts[verb]()

    def open(self, page: str) -> None:
        self.figure.tab.goto(self.address + page, wait_until="commit")
        if self.parts:
            self.figure.tab.wait_for_load_state()
        else:
            self.figure.comes_alive()

    def sees(self) -> str | None:
        """What is read, unless Python is at work."""
        if self.parts:
            return "".join(map(read, self.figure.tab.locator(self.parts).all()))
        seen = self.figure.root.evaluate(LOOKS)
        self.height = seen["height"]
        if seen["busy"]:
            return None
        return f"{read(self.figure.root, seen['values'])}{seen['looks']}"

    def tells(self, expected: str) -> str:
        """What is read otherwise than before: as expected, as soon as it is."""
        news, seen, end = "", "", time.monotonic() + LONG / 1000
        while time.monotonic() < end:
            now = self.sees()
            if now is None:  # Python has its time; what it gives comes in a moment
                end = time.monotonic() + LONG / 1000
            elif now != seen:
                seen, news = now, difference(self.told, now)
                end = time.monotonic() + (1 if WRITE else 5)
            if now is not None and news == expected and not WRITE:
                break
            self.figure.tab.wait_for_timeout(30)
        self.told = seen
        return news


def difference(before: str, after: str) -> str:
    """The lines that have come, how many others had stood there, and lines that are gone."""
    old, new = before.splitlines(), after.splitlines()
    lines = []
    for _, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if old[a:b] == new[c:d]:
            continue
        lines += [f"+{line}" for line in new[c:d]] or [f"-{line}" for line in old[a:b]]
        if c < d and b - a not in (0, d - c):
            lines.append(f"- {b - a} lines")
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    "story", one_of_each(STORIES, others=nightly), ids=lambda path: path.stem
)
def test_a_story_goes_alike_on_a_page_that_the_browser_translates(
    context: BrowserContext, address: str, story: Path
) -> None:
    errors: list[Error] = []
    teller = Teller(context, address, story.stem)
    teller.figure.tab.on("pageerror", lambda error: errors.append(error))
    for line, expected in told(story.stem):
        teller.do(line)
        assert teller.tells(expected) == expected, f"after '{line}':"
        teller.figure.tab.evaluate(TRANSLATE)
    assert errors == []


@thorough
@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_a_story_goes_as_it_is_told(
    context: BrowserContext, address: str, story: Path
) -> None:
    teller, height = Teller(context, address, story.stem), 0
    before = story.read_text("utf-8")
    text, *lines = lines_of(story)
    for line, expected in zip(lines[::2], lines[1::2], strict=True):
        teller.do(line)
        found = teller.tells(expected)
        assert WRITE or found == expected, f"after '{line}':"
        text += f"> {line}\n{found}"
        if line == "press One step on":
            assert teller.height == height, f"grows or shrinks: {line}"
        height = teller.height
    if WRITE:
        assert story.read_text("utf-8") == before, "saved meanwhile: left as it is"
        replace(story, text.encode())


@nightly
@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_at_its_end_a_phone_shows_no_fault(
    context: BrowserContext, address: str, story: Path
) -> None:
    teller = Teller(context, address, story.stem, PHONE)
    for line in lines_of(story)[1::2]:
        teller.do(line)
        expect(teller.figure.find("[data-busy=true]")).to_have_count(0, timeout=LONG)
    tab = teller.figure.tab
    assert tab.locator(TOUCHED).evaluate_all(TOO_SMALL_FOR_A_FINGER) == []
    assert tab.evaluate(TOO_WIDE) <= 0
    assert_faultless(tab, ".widget")


def test_each_widget_has_a_story() -> None:
    assert homes().keys() <= {path.stem.partition("-")[0] for path in STORIES}
