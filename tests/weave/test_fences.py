"""Pictures, widgets and others: a page shows what the code gives, or says what is wrong."""

import json

import pytest
from bs4 import BeautifulSoup

from tests.weave.conftest import ROOT, render_stashed_html
from tests.weave.page_errors import PAGE, first_error
from weave.fences.diff import Diff
from weave.fences.widget import Widget
from weave.guide import Guide


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
    (widget,) = Widget.find_on_page(guide.read_page(PAGE))
    assert given["parameters"] == {"expression": "a = 2; a * a"}
    assert given["result"] == widget.resolve(guide)


def test_changes_fence_accepts_an_empty_side() -> None:
    new, gone = (
        next(iter(Diff.find_on_page(guide.read_page(PAGE)))).diff_lines(guide)
        for sides in ("-> snippets.step1:zeros_like", "snippets.step1:zeros_like ->")
        for guide in [guide_with(f"changes\n{sides}")]
    )
    assert new[0] == "+def zeros_like(weights: Weights) -> Weights:"
    assert gone == [f"-{line[1:]}" for line in new]


CHANGES = "expected 'module:name -> module:name', got "
WIDGET_NAME = "expected the name of a folder of web/widgets on the first line, got "
PARAMETERS = "expected 'key: value' on each line below the name of the widget, got "
MESSAGES = {
    "picture\nisland": (
        "the picture 'island' has no caption: say on the next line what it shows"
    ),
    "picture\nCount Row\nA row.": (
        "expected the name of a function of web/pictures/ on the first line, "
        "got 'Count Row'"
    ),
    "picture\nno_such\nA row.": (
        "the picture 'no_such' failed: LookupError: no step has a picture of that name"
    ),
    "picture\nsoftmax\nA row.": (  # which the module imports
        "the picture 'softmax' failed: LookupError: no step has a picture of that name"
    ),
    "exercise\nnonsense": (
        "there is no exercise 'nonsense': name a folder of snippets/exercises"
    ),
    "exercise\n../tanh": (
        "there is no exercise '../tanh': name a folder of snippets/exercises"
    ),
    "exercise\ntanh\ntanh": (
        "there is no exercise 'tanh\\ntanh': name a folder of snippets/exercises"
    ),
    "changes": f"{CHANGES}''",
    "changes\n->": f"{CHANGES}'->'",
    "changes\nsnippets.step1:train": f"{CHANGES}'snippets.step1:train'",
    "widget": f"{WIDGET_NAME}''",
    "widget\nGraph/../x": f"{WIDGET_NAME}'Graph/../x'",
    "widget\ngraph\nexpression: [1": f"{PARAMETERS}'expression: [1'",
    "widget\ngraph\njust words": f"{PARAMETERS}'just words'",
    "widget\ngraph": (
        "the widget 'graph' failed: TypeError: graph() missing 1 required positional "
        "argument: 'expression'"
    ),
    "widget\ngraph\nexpression: a +": (
        "the widget 'graph' failed: ValueError: character 4: invalid syntax"
    ),
    "widget\ngraph\nexpresion: a": (
        "the widget 'graph' failed: TypeError: graph() got an unexpected keyword "
        "argument 'expresion'"
    ),
    "widget\ntriple\na: 1": (
        "there is no widget 'triple': web/widgets/triple/model.py is missing"
    ),
    "quiz\nWhy?\n- [x] a\n- [x] b\n- [ ] c\nSo.": (
        "expected one right answer, got 2: mark it '- [x] ' and the others '- [ ] '"
    ),
    "quiz\nWhy?\n- [x] a\n- [ ] b\n- [ ] c": (
        "expected a question, three answers as lines that begin with '- [ ] ' or "
        "'- [x] ', and an explanation below them"
    ),
    "session\nprinted": (
        "expected '$ ' and a command on the first line of a session, got 'printed'"
    ),
    "figure\nA caption.": (
        "only a cell of a lab draws a figure: use a 'picture' fence on a page"
    ),
}


@pytest.mark.parametrize(("fence", "message"), MESSAGES.items())
def test_invalid_fence_is_refused_with_its_line(fence: str, message: str) -> None:
    assert first_error(f"# P\n\n```{fence}\n```\n") == (3, message)
