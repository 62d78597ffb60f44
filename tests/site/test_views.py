"""Recorded screen-reader texts of widgets and pages, as they open.

The first line of a file in `views/` names its page and selector. `uv run poe views`
rewrites the rest, and adds a file for each new widget: read the diff.
"""

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
MAX_ROW_LENGTH, SHOWN_PER_ROW = 4, 2  # a longer row of one role shows only the first
# A node whose name repeats all its content
NODE_NAMED_BY_CONTENT = re.compile(
    r"""- '?((?:button|link|row) "(?:[^"\\]|\\.)*"(?: \[[^]]*\])*)"""
)


def shorten_snapshot(lines: list[str], indent: str = "") -> str:
    """Shorten a snapshot to the first and the selected nodes of each long row."""
    nodes: list[tuple[str, list[str]]] = []  # each line, and the lines below it
    for line in lines:
        if line.startswith("- "):
            nodes.append((line, []))
        else:
            nodes[-1][1].append(line.removeprefix("  "))
    text = ""
    names = {name for line, _ in nodes for name in re.findall('"(.*)"', line)}
    spoken = [node for node in nodes if node[0].removeprefix("- text: ") not in names]
    for role, group in groupby(spoken, lambda x: re.sub(r"- '?(\w+).*", r"\1", x[0])):
        row = [*group]
        few = SHOWN_PER_ROW if len(row) > MAX_ROW_LENGTH else len(row)
        if role == "option" and any("[selected]" in line for line, _ in row):
            few = 0
        for at, (line, below) in enumerate(row):
            if at < few or re.search(r"\[(pressed|checked|selected)\]", line):
                if named := NODE_NAMED_BY_CONTENT.match(line):
                    line, below = f"- {named[1]}", []
                text += f"{indent}{line}\n{shorten_snapshot(below, indent + '  ')}"
        if few < len(row):
            text += f"{indent}# {len(row)} of {role}\n"
    return text


@pytest.mark.parametrize(
    "view", mark_all_but_first(VIEW_FILES), ids=lambda path: path.stem
)
def test_view_is_as_recorded(context: BrowserContext, address: str, view: Path) -> None:
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
    seen = "".join(map(shorten_snapshot, snapshots))
    if UPDATE_VIEWS:
        write_if_changed(view, f"{first}\n{seen}".encode())
    else:
        assert seen == text
