"""Works: who is cited stands in the history, and each year is confirmed where it can be."""

import pytest

from tests.weave.conftest import Project
from weave.prose.works import HISTORY, Works

ROW = '| <span data-waive="a year">{}</span> | [{}]({}) | did it.{} | [One](../two/first.md) |\n'
TABLE = (
    ROW.format(
        2014, "Kingma and Ba", "https://arxiv.org/abs/1412.6980", " (In print 2015.)"
    )
    + ROW.format(2017, "Vaswani and others", "https://arxiv.org/abs/1706.03762", "")
    + ROW.format(2020, "Noam Shazeer", "https://doi.org/10.1/2020.5", "")
)
CITING = """\
# One

Adam (Kingma and Ba, 2015), attention (Vaswani et al., 2017), gates (Shazeer,
2020) and [a law](https://arxiv.org/abs/1412.6980).
"""


def said(project: Project, table: str = TABLE, page: str = CITING) -> list[str]:
    project.write(HISTORY.as_posix(), f"# Who\n\n{table}")
    project.write("docs/two/first.md", page)
    sources = (project.root / "microgpt").glob("**/*.py")
    for file in sources:  # the package cites works that this table has not
        file.unlink()
    return [str(fault) for fault in Works().examine(project.guide)]


def test_works_that_the_history_names_may_be_cited(project: Project) -> None:
    assert said(project) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Kingma and Ba, 2015", "Kingma and Ba, 2016"),
        ("Kingma and Ba, 2015", "Kingma and Bo, 2015"),
        ("Vaswani et al.", "Vaswany et al."),
        ("Shazeer,\n2020", "Shazeer,\n2019"),
        ("# One\n", "# One\n\nKingmo and others say so.\n"),
        ("1412.6980", "1412.6981"),
    ],
)
def test_a_citation_of_another_work_is_found(
    project: Project, old: str, new: str
) -> None:
    assert len(said(project, page=CITING.replace(old, new))) == 1


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        (">2014<", ">2013<", "its address is of 2014"),
        ("2017</span>", "2021</span>", "stands below 2021"),
        ("/2020.5", "/2019.5", "its address is of 2019"),
        ("Noam Shazeer", "Noam Shazer", "'Shazeer,\\n2020' is cited"),
    ],
)
def test_a_row_that_something_contradicts_is_found(
    project: Project, old: str, new: str, because: str
) -> None:
    assert because in "\n".join(said(project, TABLE.replace(old, new)))
