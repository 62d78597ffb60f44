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
# Parts of pages, and the buttons to press before a widget is read
PARTS = {
    "home": ("", ".ladder"),
    "chapter": ("attention/scores/", ".so-far, #block-1, #listing-attend"),
}
WHOLE = {
    "attention": "transformer/heads/",
    "network": "gradient-descent/network/",
    "sampler": "inference/sampling/",
    "trainer": "transformer/training/",
    "transformer": "transformer/forward-pass/",
}
PRESSED = {
    "attention": ["all at once: the mask", "a gives start"],
    "transformer": ["head 0"],
}


def read(part: Locator) -> str:
    """The tree of a part: sliders with their values in words, links without their addresses."""
    words = part.get_by_role("slider").evaluate_all(
        "all => all.map(x => x.ariaValueText)"
    )
    tree = re.sub(r"\n *- /url: .*", "", part.aria_snapshot())
    return re.sub(
        r'(?<=- slider )(".*"): .*', lambda it: f"{it[1]}: {words.pop(0)}", tree
    )


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
        figure.rests()
        tab, texts = figure.tab, [read(figure.root)]
    tab.close()
    file = FOLDER / f"{name}.yml"
    text = "\n".join(texts) + "\n"
    if "WRITE_VIEWS" in os.environ:
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
