"""Fences of pictures, widgets, changes and others: their HTML, and their errors."""

import json

from bs4 import BeautifulSoup

from tests.processes import ROOT
from tests.weave.conftest import render_markdown_and_html
from tests.weave.page_errors import PAGE_PATH
from weave.fences.diff import Diff
from weave.fences.widget import Widget
from weave.guide import Guide


def make_guide_with_fence(fence: str) -> Guide:
    return Guide(ROOT, text_overrides={PAGE_PATH: f"# P\n\n```{fence}\n```\n"})


def test_picture_fence_shows_the_drawn_svg_above_its_caption() -> None:
    fence = "picture\ndoubling_without_each_part\nWhat is left."
    html = render_markdown_and_html(make_guide_with_fence(fence), PAGE_PATH)[1]
    (svg,) = BeautifulSoup(html, "lxml").select("figure.drawing-figure > svg.drawing")
    assert svg["aria-hidden"] == "true"  # the caption says the same
    right = [text.get_text() for text in svg.select("text.strong:not(.attention)")]
    assert right and all(count.isdecimal() for count in right)


def test_page_embeds_the_parameters_and_result_of_its_widget() -> None:
    guide = make_guide_with_fence('widget\ngraph\nexpression: "a = 2; a * a"')
    html = BeautifulSoup(render_markdown_and_html(guide, PAGE_PATH)[1], "lxml")
    embedded = json.loads(html.select("script[type='application/json']")[0].get_text())
    (widget,) = Widget.find_on_page(guide.read_page(PAGE_PATH))
    assert embedded["parameters"] == {"expression": "a = 2; a * a"}
    assert embedded["result"] == widget.resolve(guide)


def test_changes_fence_accepts_an_empty_side() -> None:
    added, removed = (
        next(iter(Diff.find_on_page(guide.read_page(PAGE_PATH)))).diff_lines(guide)
        for sides in ("-> snippets.step1:zeros_like", "snippets.step1:zeros_like ->")
        for guide in [make_guide_with_fence(f"changes\n{sides}")]
    )
    assert added[0] == "+def zeros_like(weights: Weights) -> Weights:"
    assert removed == [f"-{line[1:]}" for line in added]
