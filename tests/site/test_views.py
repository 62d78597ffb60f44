"""What a screen reader reads of a page, in order, is a text that people have read and found clear.

The texts are in `views/`: the accessibility tree as Playwright writes it, of what no sentence
of a chapter is part of. `uv run poe views` writes them anew; read the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator

from tests.site.browsing import DESK
from tests.site.figure import Figure, homes
from tests.thorough import thorough

FOLDER = Path(__file__).with_name("views")
# Parts of pages
PARTS = {
    "home": ("", ".ladder"),
    "chapter": ("attention/scores/", "h1, .so-far, #block-1"),
}
# The page of a widget that is not the first to show it
WHOLE = {
    "attention": "transformer/heads/",
    "network": "gradient-descent/network/",
    "sampler": "inference/sampling/",
    "trainer": "transformer/training/",
    "transformer": "transformer/forward-pass/",
}
# What is pressed before a widget is read
PRESSED = {
    "attention": ["all at once: the mask", "a gives start"],
    "transformer": ["head 0"],
}
SLIDER = re.compile(r"""^( *- '?slider "[^"]*"'?).*""", re.MULTILINE)
# A button or a link, and all that is deeper
STOP = re.compile(
    r"""^( *)(- '?(?:button|link) "(?:[^"\\]|\\.)*"[^:\n]*).*\n(?:\1 .*\n)*""",
    re.MULTILINE,
)
# What is not chosen in a list
UNSEEN = re.compile(r"^ *- '?option (?!.*\[selected\]).*\n", re.MULTILINE)


def read(part: Locator) -> str:
    """The tree of a part, as it is read: sliders with their values in words, and each
    button, link and list as one stop, without what is in it or where it leads."""
    words = part.get_by_role("slider").evaluate_all(
        "all => all.map(x => x.ariaValueText)"
    )
    said = iter(words)
    tree = SLIDER.sub(lambda it: f"{it[1]}: {next(said)}", part.aria_snapshot() + "\n")
    tree = STOP.sub(r"\1\2\n", tree)
    return UNSEEN.sub("", tree)


@pytest.fixture(scope="module")
def reader(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport=DESK, reduced_motion="reduce") as context:
        yield context


@thorough
@pytest.mark.parametrize("name", [*PARTS, *homes()])
def test_read_in_order_it_makes_sense(
    reader: BrowserContext, address: str, patience: None, name: str
) -> None:
    if name in PARTS:
        page, parts = PARTS[name]
        tab = reader.new_page()
        tab.goto(address + page)
        texts = [read(part) for part in tab.locator(parts).all()]
    else:
        figure = Figure.open(reader, address, name, WHOLE.get(name))
        figure.press(*PRESSED.get(name, []))
        figure.shows({})  # until Python is at rest
        tab, texts = figure.tab, [read(figure.root)]
    tab.close()
    file = FOLDER / f"{name}.yml"
    text = "".join(texts)
    if "WRITE_VIEWS" in os.environ:
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
