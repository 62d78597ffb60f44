"""Recorded screen-reader texts of widgets and pages, as they open.

The first line of a file of `views/` says where it stands: a page and a selector.
`uv run poe views` rewrites the rest, and adds a file for a new widget; read the difference.
"""

from __future__ import annotations

import os
import re
from itertools import groupby
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.marks import mark_all_but_first
from tests.site.browsing import DESKTOP_SIZE, open_reduced_motion_tab
from tests.site.widget_page import find_widget_pages
from weave.files import write_if_changed

VIEWS_FOLDER = Path(__file__).with_name("views")
UPDATE_VIEWS = bool(os.environ.get("WRITE_VIEWS"))
for name, page in find_widget_pages().items() if UPDATE_VIEWS else ():
    if not [*VIEWS_FOLDER.glob(f"{name}*.txt")]:
        (VIEWS_FOLDER / f"{name}.txt").write_text(f"# {page} [data-widget={name}]\n")
VIEW_FILES = sorted(VIEWS_FOLDER.glob("*.txt"))
# Of more than so many of a kind in a row, the first ones are enough.
MAX_ROW_LENGTH, SHOWN_PER_ROW = 4, 2
CHOSEN_STATE = re.compile(r"\[(pressed|checked|selected)\]")
# What is within one of these stands in its name.
NAMED_BY_CONTENT = re.compile(
    r"""- '?((?:button|link|row) "(?:[^"\\]|\\.)*"(?: \[[^]]*\])*)"""
)
Node = tuple[str, list["Node"]]


def parse_snapshot(lines: list[str]) -> list[Node]:
    """Parse an indented accessibility snapshot into a tree."""
    nodes: list[Node] = []
    for line in lines:
        if line.startswith("- "):
            nodes.append((line, []))
        else:
            nodes[-1][1].append((line.removeprefix("  "), []))
    return [(head, parse_snapshot([line for line, _ in own])) for head, own in nodes]


def get_role(node: Node) -> str:
    return re.sub(r"- '?(\w+).*", r"\1", node[0])


def shorten_snapshot(nodes: list[Node], indent: str = "") -> str:
    """Format a snapshot, with only the first and the chosen nodes of each long row."""
    text = ""
    names = {name for head, _ in nodes for name in re.findall('"(.*)"', head)}
    heard = [node for node in nodes if node[0].removeprefix("- text: ") not in names]
    for kind, group in groupby(heard, get_role):
        row = [*group]
        few = SHOWN_PER_ROW if len(row) > MAX_ROW_LENGTH else len(row)
        if kind == "option" and any("[selected]" in head for head, _ in row):
            few = 0
        for at, (head, below) in enumerate(row):
            if at >= few and not CHOSEN_STATE.search(head):
                continue
            if stop := NAMED_BY_CONTENT.match(head):
                head, below = f"- {stop[1]}", []
            text += f"{indent}{head}\n{shorten_snapshot(below, indent + '  ')}"
        if few < len(row):
            text += f"{indent}# {len(row)} of {kind}\n"
    return text


@pytest.mark.parametrize(
    "view", mark_all_but_first(VIEW_FILES), ids=lambda path: path.stem
)
def test_screen_reader_text_of_a_widget_equals_its_recorded_view(
    context: BrowserContext, address: str, view: Path
) -> None:
    first, _, text = view.read_text("utf-8").partition("\n")
    _, page, selector = first.split(" ", 2)
    tab = open_reduced_motion_tab(context, DESKTOP_SIZE)
    tab.goto(f"{address}{page}", wait_until="commit")
    parts = tab.locator(selector)
    if selector.startswith("[data-widget"):
        parts.scroll_into_view_if_needed()
        expect(parts).to_have_attribute("data-hydrated", "")
    else:
        tab.wait_for_load_state()
    snapshots = [part.aria_snapshot().splitlines() for part in parts.all()]
    seen = "".join(shorten_snapshot(parse_snapshot(lines)) for lines in snapshots)
    if UPDATE_VIEWS:
        write_if_changed(view, f"{first}\n{seen}".encode())
    else:
        assert seen == text


def test_each_widget_has_a_recorded_screen_reader_view() -> None:
    shown = "".join(view.read_text("utf-8") for view in VIEW_FILES)
    names = find_widget_pages()
    assert [name for name in names if f"[data-widget={name}]" not in shown] == []
