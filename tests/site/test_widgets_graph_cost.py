"""The graphs of a dot product, and the memory of a graph, in a reader's hands."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.site.browsing import LONG, styles
from tests.thorough import thorough
from widgets.dot_graph.model import DotGraph, dot_graph
from widgets.graph_memory.model import graph_memory

# All widgets together are looked at every day.
pytestmark = thorough

PAGE = "efficiency/one-node/"
NODE_FOR = {"value": "step", "dot": "dot product", "lists": "matrix"}
A, B = [1.0, 2.0, -1.0], [3.0, -4.0, 0.5]  # as on the page


def opened(tab: Page, address: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab.goto(address + PAGE)
    widget = tab.locator(f".widget.{name}")
    widget.scroll_into_view_if_needed()
    tab.locator(f".widget.{name}[data-alive]").wait_for()
    return widget


def assert_graphs(widget: Locator, shown: DotGraph) -> None:
    """Each box and each edge of both pictures is Python's, and each count."""
    expect(widget.locator(".side")).to_have_count(2)
    expect(widget.locator(".verdict")).to_have_text(shown["verdict"], timeout=LONG)
    expect(widget.locator(".stale")).to_have_count(0)
    for side, here in zip(shown["sides"], widget.locator(".side").all(), strict=True):
        expect(here.locator(".node")).to_have_count(len(side["nodes"]))
        boxes = here.locator(".node").evaluate_all(
            "all => all.map(x => [...x.querySelectorAll('text')].map(t => t.textContent))"
        )
        assert boxes == [
            [node["title"], "data", node["data"], "grad", node["grad"]]
            for node in side["nodes"]
        ]
        labels = here.locator(".edge text").all_text_contents()
        assert labels == [edge["local_grad"] for edge in side["edges"]]
        plural = "" if side["made"] == 1 else "s"
        expect(here.locator(".title").first).to_have_text(
            f"{side['engine']}: {side['made']} node{plural} made,"
            f" {len(side['edges'])} edges"
        )


def test_both_graphs_of_the_readers_vectors_are_pythons(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "dot_graph")
    assert_graphs(widget, dot_graph(A, B))
    # Shorter, by keyboard; then another number; then longer than before
    length = widget.get_by_role("slider", name=re.compile("length"))
    length.focus()
    tab.keyboard.press("ArrowLeft")
    assert_graphs(widget, dot_graph(A[:2], B[:2]))
    widget.get_by_role("slider", name=re.compile(r"b\[0\]")).fill("-2.5")
    assert_graphs(widget, dot_graph(A[:2], [-2.5, -4.0]))
    length.fill("4")
    expect(widget.locator(".vectors input")).to_have_count(8)
    numbers = widget.locator(".vectors input").evaluate_all(
        "all => all.map(x => x.valueAsNumber)"
    )
    assert numbers[:3] == A
    assert numbers[4:7] == [-2.5, *B[1:]]  # what was set and hidden is there again
    assert_graphs(widget, dot_graph(numbers[:4], numbers[4:]))


def test_a_node_that_is_pointed_at_is_told_in_both_graphs(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "dot_graph")
    steps, whole = widget.locator(".side").all()
    whole.locator("[data-id='b[1]']").click()
    for side in (steps, whole):
        expect(side.locator(".picked .title")).to_have_text("b[1]")
        expect(side.locator(".edge.strong")).to_have_count(1)
    expect(widget.locator(".pointed")).to_have_text("b[1]: data -4, grad 2")
    # Within the picture, arrow keys lead on
    tab.keyboard.press("ArrowDown")
    expect(widget.locator(".pointed")).to_have_text("dot: data -5.5, grad 1")
    expect(whole.locator(".edge.strong")).to_have_count(6)
    expect(steps.locator(".picked")).to_have_count(0)


def number(text: str) -> float:
    """Read a size as readers see it, in bytes."""
    digits, unit = text.split()
    return float(digits) * {"kB": 1e3, "MB": 1e6}[unit]


def test_the_memory_of_a_graph_is_pythons(tab: Page, address: str) -> None:
    widget = opened(tab, address, "graph_memory")

    def assert_sizes(letters: int, n_layer: int, n_embd: int, share: float) -> None:
        shown = graph_memory(letters, n_layer, n_embd)
        expect(widget.locator(".title")).to_contain_text(f"“{shown['name']}”")
        for each, row in zip(
            shown["engines"], widget.locator(".memory li").all(), strict=False
        ):
            expect(row.locator(".note")).to_have_text(
                f"a node for each {NODE_FOR[each['engine']]}:"
                f" {each['nodes']:,} nodes, {each['edges']:,} edges",
                timeout=LONG,
            )
            size = number(row.locator(".size").inner_text())
            assert size == pytest.approx(share * each["bytes"], rel=0.12)
        known = [number(x) for x in widget.locator(".known .size").all_inner_texts()]
        moved = (letters, n_layer, n_embd) != (9, 1, 16)
        if moved:  # what the page has shown at first, as this browser measures it
            assert known.pop(0) == pytest.approx(share * shown["first"], rel=0.12)
        parameters = f"its {shown['parameters']:,} parameters, 8 bytes each"
        expect(widget.get_by_text(parameters)).to_be_visible()
        assert known == pytest.approx([shown["weights"], shown["names"]], rel=0.01)
        sizes = [number(x) for x in widget.locator(".size").all_inner_texts()]
        ratio = re.findall(r"\d+\.\d", widget.locator(".verdict").inner_text())
        assert [float(x) for x in ratio] == [
            pytest.approx(sizes[0] / sizes[1], abs=0.1)
        ]
        widths = styles(widget.locator(".fill"), "width")
        wanted = [100 * size / max(sizes) for size in sizes]
        assert widths == pytest.approx(wanted, abs=0.5)

    assert_sizes(9, 1, 16, 1)
    expect(widget.get_by_text("a reference takes 8 bytes")).to_be_visible()
    widget.get_by_role("slider", name=re.compile("letters")).fill("3")
    widget.get_by_role("slider", name=re.compile("layers")).fill("2")
    widget.get_by_role("slider", name=re.compile("width")).fill("8")
    expect(widget.get_by_text("a reference takes 4 bytes")).to_be_visible(timeout=LONG)
    # In a browser a reference is half as long: of a node about half is references.
    assert_sizes(3, 2, 8, 0.56)
