"""What a screen reader finds in each instrument as it opens is a text that people have read.

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
from tests.site.browsing import DESKTOP_SIZE, LONG_TIMEOUT_MS, open_reduced_motion_tab
from tests.site.widget_page import find_widget_pages
from weave.files import write_if_changed

FOLDER = Path(__file__).with_name("views")
WRITE = bool(os.environ.get("WRITE_VIEWS"))
for name, page in find_widget_pages().items() if WRITE else ():
    if not [*FOLDER.glob(f"{name}*.txt")]:
        (FOLDER / f"{name}.txt").write_text(f"# {page} [data-widget={name}]\n")
VIEWS = sorted(FOLDER.glob("*.txt"))
# Of more than so many of a kind in a row, the first ones are enough.
MANY, FIRST = 4, 2
CHOSEN = re.compile(r"\[(pressed|checked|selected)\]")
# What is within one of these stands in its name.
ONE_STOP = re.compile(r"""- '?((?:button|link|row) "(?:[^"\\]|\\.)*"(?: \[[^]]*\])*)""")
Node = tuple[str, list["Node"]]


def tree(lines: list[str]) -> list[Node]:
    """Read the nodes of a snapshot from their indentation."""
    nodes: list[Node] = []
    for line in lines:
        if line.startswith("- "):
            nodes.append((line, []))
        else:
            nodes[-1][1].append((line.removeprefix("  "), []))
    return [(head, tree([line for line, _ in below])) for head, below in nodes]


def role(node: Node) -> str:
    return re.sub(r"- '?(\w+).*", r"\1", node[0])


def shortened(nodes: list[Node], indent: str = "") -> str:
    """Write the first nodes of each long row and the chosen ones; a label says a name."""
    text = ""
    names = {name for head, _ in nodes for name in re.findall('"(.*)"', head)}
    heard = [node for node in nodes if node[0].removeprefix("- text: ") not in names]
    for kind, group in groupby(heard, role):
        row = [*group]
        few = FIRST if len(row) > MANY else len(row)
        if kind == "option" and any("[selected]" in head for head, _ in row):
            few = 0
        for at, (head, below) in enumerate(row):
            if at >= few and not CHOSEN.search(head):
                continue
            if stop := ONE_STOP.match(head):
                head, below = f"- {stop[1]}", []
            text += f"{indent}{head}\n{shortened(below, indent + '  ')}"
        if few < len(row):
            text += f"{indent}# {len(row)} of {kind}\n"
    return text


@pytest.mark.parametrize("view", mark_all_but_first(VIEWS), ids=lambda path: path.stem)
def test_screen_reader_text_of_a_widget_equals_its_recorded_view(
    context: BrowserContext, address: str, view: Path
) -> None:
    first, _, text = view.read_text(encoding="utf-8").partition("\n")
    _, page, selector = first.split(" ", 2)
    tab = open_reduced_motion_tab(context, DESKTOP_SIZE)
    tab.goto(f"{address}{page}", wait_until="commit")
    parts = tab.locator(selector)
    if selector.startswith("[data-widget"):
        parts.scroll_into_view_if_needed()
        expect(parts).to_have_attribute("data-alive", "", timeout=LONG_TIMEOUT_MS)
    else:
        tab.wait_for_load_state()
    seen = "".join(
        shortened(tree(part.aria_snapshot().splitlines())) for part in parts.all()
    )
    if WRITE:
        write_if_changed(view, f"{first}\n{seen}".encode())
    else:
        assert seen == text


def test_each_widget_has_a_recorded_screen_reader_view() -> None:
    shown = "".join(view.read_text(encoding="utf-8") for view in VIEWS)
    assert [
        name for name in find_widget_pages() if f"[data-widget={name}]" not in shown
    ] == []
