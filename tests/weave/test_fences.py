"""Pictures, widgets and others: a page shows what the code gives, or says what is wrong."""

import json

import pytest
from bs4 import BeautifulSoup

from tests.weave.conftest import ROOT, render_stashed_html
from tests.weave.page_errors import PAGE, first_error
from weave.guide import Guide
from weave.kinds.changes import Changes
from weave.kinds.widget import Widget

NAME = "has a name on its first line, and below it"
SIDES = "write 'module:name -> module:name'"


def guide_with(fence: str) -> Guide:
    return Guide(ROOT, text_overrides={PAGE: f"# P\n\n```{fence}\n```\n"})


def test_picture_fence_shows_the_drawn_svg_above_its_caption() -> None:
    html = render_stashed_html(guide_with("picture\nisland\nWhat is left."), PAGE)
    (svg,) = BeautifulSoup(html, "lxml").select("figure.still > svg.drawing")
    assert svg["aria-hidden"] == "true"  # the caption says it
    right = [text.get_text() for text in svg.select("text.strong:not(.attention)")]
    assert right and all(count.isdecimal() for count in right)


def test_page_embeds_the_parameters_and_result_of_its_widget() -> None:
    guide = guide_with('widget\ngraph\nexpression: "a = 2; a * a"')
    _, _, carried = render_stashed_html(guide, PAGE).partition(
        '<script type="application/json">'
    )
    given = json.loads(carried.partition("</script>")[0])
    (widget,) = Widget.on(guide.read_page(PAGE))
    assert given["parameters"] == {"expression": "a = 2; a * a"}
    assert given["result"] == widget.content(guide)


def test_changes_fence_accepts_an_empty_side() -> None:
    new, gone = (
        next(iter(Changes.on(guide.read_page(PAGE)))).lines(guide)
        for sides in ("-> snippets.step1:zeros_like", "snippets.step1:zeros_like ->")
        for guide in [guide_with(f"changes\n{sides}")]
    )
    assert new[0] == "+def zeros_like(weights: Weights) -> Weights:"
    assert gone == [f"-{line[1:]}" for line in new]


@pytest.mark.parametrize(
    ("fence", "because"),
    [
        ("picture\nisland", NAME),
        ("picture\nCount Row\nA row.", NAME),
        ("picture\nno_such\nA row.", "no step has a picture of that name"),
        ("picture\nsoftmax\nA row.", "no step has a picture of that name"),  # imported
        ("exercise\nnonsense", "there is no exercise 'nonsense'"),
        ("exercise\n../tanh", "there is no exercise '../tanh'"),
        ("exercise\ntanh\ntanh", "there is no exercise"),
        ("changes", SIDES),
        ("changes\n->", SIDES),
        ("changes\nsnippets.step1:train", SIDES),
        ("changes\n-> snippets.step1:nothing", "no 'nothing' among"),
        ("widget", NAME),
        ("widget\ngraph", "missing 1 required positional argument"),
        ("widget\ngraph\nexpression: a +", "character 4: invalid syntax"),
        ("widget\ngraph\nexpresion: a", "unexpected keyword argument 'expresion'"),
        ("widget\ngraph\nexpression: [1", NAME),
        ("widget\ngraph\njust words", NAME),
        ("widget\nGraph/../x", NAME),
        ("quiz\nWhy?\n- [x] a\n- [x] b\n- [ ] c\nSo.", "one right"),
        ("quiz\nWhy?\n- [x] a\n- [ ] b\n- [ ] c", "ends with an explanation"),
        ("session\nprinted", "begins with '$ ' and a command"),
        ("figure\nA caption.", "only a cell of a lab draws a figure"),
        ("widget\ntriple\na: 1", "there is no widget 'triple'"),
    ],
)
def test_invalid_fence_is_refused_with_its_line(fence: str, because: str) -> None:
    line, said = first_error(f"# P\n\n```{fence}\n```\n")
    assert line == 3 and because in said
