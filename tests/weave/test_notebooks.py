"""Each chapter can be downloaded as a notebook: its cells are the page's blocks."""

import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.thorough import nightly
from tests.weave.conftest import ROOT
from weave.guide import Guide
from weave.kinds.block import Block
from weave.publish import notebooks

GUIDE = Guide(ROOT)
CHAPTERS = [path for path in GUIDE.paths if notebooks.is_offered(GUIDE, path)]


def made(path: Path, address: str = "") -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(notebooks.notebook(GUIDE, path, address))
    return notebook


def code(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_every_chapter_and_lab_is_a_valid_notebook_with_the_blocks_of_its_page() -> (
    None
):
    assert len(CHAPTERS) > 50
    for path in [*CHAPTERS, *GUIDE.labs]:
        notebook = made(path)
        nbformat.validate(notebook)
        blocks = Block.on(GUIDE.read(path))
        cells = code(notebook)
        assert len(cells) == len(blocks), path
        for cell, block in zip(cells, blocks):
            assert "".join(cell["source"]).endswith(block.text.rstrip("\n"))


@pytest.mark.parametrize("address", ["", "https://guide.example/x/"])
def test_no_link_of_a_notebook_needs_the_site_around_it(address: str) -> None:
    for path in [*CHAPTERS, *GUIDE.labs]:
        for cell in made(path, address)["cells"]:
            if cell["cell_type"] != "markdown":
                continue
            shown = "".join(cell["source"])
            text = re.sub(r"```(?s:.*?)```|`[^`]*`|\$[^$]*\$", "", shown)
            assert not re.search(r"</?(data|span)\b|<!--|^!!!", text), (path, text)
            links = re.findall(r"\]\(([^)]*)\)", text)
            relative = [link for link in links if not re.match("https?://", link)]
            assert relative == [], path


@nightly
@pytest.mark.parametrize("path", CHAPTERS, ids=str)
def test_blocks_that_run_one_after_the_other_print_what_the_page_shows(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a notebook all share their names, where chains of blocks on a page do not."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in Block.on(GUIDE.read(path)):
        if block.runs_here:
            with redirect_stdout(StringIO()) as printed:
                exec(block.text, names)  # noqa: S102
            shown = block.output.fence.text if block.output else ""
            assert printed.getvalue() == shown, block.line


def test_the_site_offers_the_notebook_of_each_chapter(site) -> None:  # type: ignore[no-untyped-def]
    for page in site.pages:
        link = page.article.select_one(".where a[download]")
        if page.source.path not in CHAPTERS:
            assert link is None
            continue
        file = (page.file.parent / str(link["href"])).resolve()
        assert json.loads(file.read_text(encoding="utf-8")) == made(page.source.path)
