"""Each recap has a table of formulas, and the recap sheet shows them all."""

from pathlib import Path

import pytest

from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.fences.base import RenderContext
from weave.fences.recap_sheet import RecapSheet, formula_table
from weave.guide import Guide

SAMPLE_TERMS = "| term | means |\n| --- | --- |\n| BOS | both ends |\n"
SAMPLE_FORMULAS = (
    "## Formulas\n\n| formula | in the code |\n| --- | --- |\n| $2n$ | `n` |\n"
)


def test_recap_sheet_contains_the_formulas_of_each_recap(guide: Guide) -> None:
    page = guide.read_page(Path("docs/reference/recap-sheet.md"))
    (sheet,) = RecapSheet.find_on_page(page)
    markdown = "\n".join(sheet.render(RenderContext(guide, page, str)))
    recaps = sheet.resolve(guide)
    parts = markdown.split("\n## ")[1:]
    assert len(parts) == len(recaps) > 5
    for part, (recap, formulas) in zip(parts, recaps, strict=True):
        address = f"../{recap.path.relative_to('docs').as_posix()}"
        assert part.startswith("[Step ") and f"]({address})" in part
        assert len(formulas) > 5
        rows = [line for line in part.splitlines() if line.startswith("|")]
        assert rows == formulas


def test_recap_page_without_formulas_is_refused(project: Project) -> None:
    text = f"# Recap\n\n{SAMPLE_TERMS}\n{SAMPLE_FORMULAS}\n{SAMPLE_TERMS}"
    formulas = formula_table(project.page(text, "docs/two/recap.md"))
    assert formulas == SAMPLE_FORMULAS.splitlines()[2:]
    page = project.page(f"# Recap\n\n{SAMPLE_TERMS}", "docs/two/recap.md")
    with pytest.raises(
        WeaveError, match="expected a table with a column 'in the code'"
    ):
        formula_table(page)
