"""Still pictures and tables of names: what the page shows is what the code gives."""

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.weave.conftest import ROOT, stashed
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.names import RECORDED, Names
from weave.kinds.picture import Picture

PAGE = Path("docs/index.md")


def guide_with(kind: str, *body: str) -> Guide:
    text = "\n".join(("# P", "", f"```{kind}", *body, "```", ""))
    return Guide(ROOT, told={PAGE: text})


def test_a_picture_is_drawn_by_its_function_above_its_caption() -> None:
    guide = guide_with("picture", "count_row", "What came after *m*.")
    html = BeautifulSoup(stashed(guide, PAGE), "lxml")
    (svg,) = html.select("figure.still > svg.drawing")
    assert svg["aria-hidden"] == "true"  # the caption says it
    counted = [text.get_text() for text in svg.select("text.data")]
    assert counted and all(count.isdecimal() for count in counted)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (["count_row"], "below it what it shows"),
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


def test_a_table_of_names_has_what_was_recorded() -> None:
    rows = ("Untrained: four-end before training", "Four heads: four-end")
    html = BeautifulSoup(stashed(guide_with("names", *rows), PAGE), "lxml")
    moments = json.loads((ROOT / RECORDED).read_text())["four-end"]["moments"]
    first, last = moments[0], moments[-1]
    shown = [[cell.get_text() for cell in row("td")] for row in html("tr")[1:]]
    assert [model.get_text() for model in html.select("th[scope=row]")] == [
        "Untrained",
        "Four heads",
    ]
    for (seen, loss, names), moment in zip(shown, (first, last), strict=True):
        assert seen == f"{moment['seen']:,}"
        assert loss == f"{moment['heldOut']:.3f}"
        assert names.split(", ") == [name or "(empty)" for name in moment["names"]]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("Four heads", "a row is 'model: run'"),
        ("Four heads: five", "the runs are counts, counts-end, network"),
        ("A: four at 10", "the runs are counts, counts-end, network"),
    ],
)
def test_a_run_that_nobody_recorded_is_refused(row: str, complaint: str) -> None:
    guide = guide_with("names", row)
    (table,) = Names.on(guide.read(PAGE))
    with pytest.raises(WeaveError, match=complaint):
        table.content(guide)
