"""Still pictures: what the page shows is what the code gives."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.weave.conftest import ROOT, stashed
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.picture import Picture

PAGE = Path("docs/index.md")


def guide_with(kind: str, *body: str) -> Guide:
    text = "\n".join(("# P", "", f"```{kind}", *body, "```", ""))
    return Guide(ROOT, told={PAGE: text})


def test_a_picture_is_drawn_by_its_function_above_its_caption() -> None:
    guide = guide_with("picture", "island", "What is left without each part.")
    html = BeautifulSoup(stashed(guide, PAGE), "lxml")
    (svg,) = html.select("figure.still > svg.drawing")
    assert svg["aria-hidden"] == "true"  # the caption says it
    right = [text.get_text() for text in svg.select("text.strong:not(.attention)")]
    assert right and all(count.isdecimal() for count in right)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (["island"], "below it what it shows"),
        (["Count Row", "A row."], "a name on its first line"),
        (["no_such", "A row."], "no_such': LookupError: no step has a picture of that"),
        (["softmax", "A row."], "no step has a picture of that"),  # imported
    ],
)
def test_what_is_no_picture_is_told_with_its_line(
    body: list[str], complaint: str
) -> None:
    guide = guide_with("picture", *body)
    (picture,) = Picture.on(guide.read(PAGE))
    with pytest.raises(WeaveError, match=r"index.md:3: .*") as told:
        picture.read()
        picture.content(guide)
    assert complaint in str(told.value)
