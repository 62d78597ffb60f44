"""Labs: notebooks whose stored outputs are those that their cells give."""

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import v4

from tests.marks import mark_all_but_first, nightly
from tests.processes import ROOT
from tests.weave.conftest import Project
from weave import labs, matplotlib_svg
from weave.check import check_pages
from weave.errors import WeaveError
from weave.guide import Guide

NEW_LAB_PATH = Path("docs/labs/new.ipynb")
LAB_PATHS = [path.as_posix() for path in Guide(ROOT).lab_paths]
MATPLOTLIB_SVG = """\
<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9pt" height="9pt" viewBox="0 0 9 9">
 <metadata><date>2026-01-01</date></metadata>
 <defs><style type="text/css">*{stroke-linecap: butt}</style></defs>
 <defs><clipPath id="p1"><rect x="0" y="0" width="9" height="9"/></clipPath></defs>
 <g id="axes_1" clip-path="url(#p1)"><path id="m1" d="M 1.26 2
L 3.04 4" style="fill: none; stroke: #1f5fa6"/><use xlink:href="#m1" x="0.04"/>
  <text style="font: bold 9px 'DejaVu Sans'; text-anchor: middle">a</text>
  <text style="font-size: 8px; font-family: 'DejaVu Sans', sans-serif">b</text></g>
</svg>
"""


def run_lab_with_cell(code: str) -> str:
    """Return the text of a notebook after its title and a cell of code have run."""
    text = make_notebook_text(TITLE_CELL, ("code", code))
    return labs.run_notebook(ROOT, text, NEW_LAB_PATH)


def make_notebook_text(*cells: tuple[str, str]) -> str:
    """Return the text of a notebook whose cells have not run."""
    make: dict[str, Any] = {"code": v4.new_code_cell, "markdown": v4.new_markdown_cell}
    new_cells = [make[kind](source) for kind, source in cells]
    text: str = nbformat.writes(v4.new_notebook(cells=new_cells))
    return text


TITLE_CELL = ("markdown", "# A lab\n\nWhat does it ask?")


def test_labs_have_not_changed_since_their_cells_ran() -> None:
    report = check_pages(Guide(ROOT), [*map(Path, LAB_PATHS)])
    assert [str(error) for error in [*report.errors, *report.corrections]] == []


# The first takes two seconds, others up to twenty
@pytest.mark.parametrize("path", mark_all_but_first(sorted(LAB_PATHS), mark=nightly))
def test_rerunning_a_lab_reproduces_its_stored_outputs(path: str) -> None:
    report = check_pages(Guide(ROOT), [Path(path)], run_labs=True)
    assert [str(error) for error in [*report.errors, *report.corrections]] == []


REFUSED_CELLS = ["print(1 / 0)", "1 + 1", "import sys; sys.stderr.write('x')"]


@pytest.mark.parametrize("cell", [*REFUSED_CELLS, "import os; os._exit(1)"])
def test_lab_cell_that_fails_or_has_unsupported_output_is_refused(cell: str) -> None:
    message = r"a cell fails|cell 2 gives .+, which no page shows"
    with pytest.raises(WeaveError, match=message):
        labs.notebook_to_markdown(json.loads(run_lab_with_cell(cell)), NEW_LAB_PATH)


def test_numbers_and_stored_outputs_of_a_lab_are_checked(project: Project) -> None:
    bare = ("markdown", 'It is 420, or <data value="len(names)">twelve</data>.')
    path = project.write(NEW_LAB_PATH.as_posix(), make_notebook_text(TITLE_CELL, bare))
    _, computed, uncomputed = map(str, check_pages(project.guide, [path]).errors)
    assert "the text of a lab cannot compute numbers: print this one" in computed
    assert "nothing computes the number '420'" in uncomputed
    new_text = run_lab_with_cell("print('three')")
    project.write(path.as_posix(), new_text.replace('"three\\n"', '"four\\n"'))
    (error,) = check_pages(project.guide, [path]).errors
    assert "was changed since its cells ran" in str(error)
    (correction,) = check_pages(project.guide, [path], run_labs=True).corrections
    assert "the cells give other outputs than the notebook stores" in str(correction)
    assert correction.text == new_text


def test_invalid_notebook_is_refused() -> None:
    message = f"^{NEW_LAB_PATH}: expected a notebook of format 4"
    for text in ("[]", '{"nbformat": 3, "worksheets": []}', "no JSON"):
        with pytest.raises(WeaveError, match=message):
            labs.parse_notebook(text, NEW_LAB_PATH)


def test_lab_figure_svg_keeps_shapes_and_drops_metadata_and_styles() -> None:
    svg = matplotlib_svg.simplify_svg(MATPLOTLIB_SVG)
    assert 'd="M1.3 2L3 4"' in svg and "stroke: #1f5fa6" in svg
    assert "font-size: 9px" in svg and "Sans" not in svg
    assert not re.search(r"metadata|<style|<\?xml", svg)
    assert not re.search(r"<svg[^>]* (?:width|height)=", svg)
    first, second = (matplotlib_svg.adapt_svg_to_page(svg, number) for number in (1, 2))
    assert "stroke: var(--data)" in first
    ids = [set(re.findall(r' id="([^"]+)"', adapted)) for adapted in (first, second)]
    assert {"figure-1-p1", "figure-1-m1"} <= ids[0] and not ids[0] & ids[1]
    assert 'href="#figure-1-m1"' in first and "xlink:href" not in first
