"""What a page says of itself where somebody finds or shares a link to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from card import DRAWINGS, THEME, digest, size_of, source_of
from tests.conftest import QUIET
from tests.promises.site import Site


def words(element: Tag) -> str:
    return " ".join(element.get_text().split())


def said(html: BeautifulSoup, name: str) -> str:
    found = html.select(f'head meta[name="{name}"], head meta[property="{name}"]')
    assert len(found) == 1, f"{name}: {found}"
    return str(found[0]["content"])


def test_a_page_is_described_by_the_paragraph_that_it_begins_with(site: Site) -> None:
    for page in site.pages:
        built = page.file.read_text(encoding="utf-8")
        start = built.index("<h1")
        # All that comes later takes long to read.
        end = built.find("<h2", start)
        html = BeautifulSoup(built[: end if end > 0 else start + 5000], "lxml")
        first = html.select_one("h1 ~ p:not([class])")
        heading = html.select_one("h1")
        assert heading is not None, page.file
        for mark in heading.select(".headerlink"):
            mark.extract()
        assert said(html, "og:title") == words(heading)
        if first and first.math:  # typeset there, and LaTeX here
            continue
        text = words(first) if first else ABOUT
        assert said(html, "description") == text, page.file
        assert said(html, "og:description") == text, page.file


def test_only_a_deployment_knows_addresses_for_a_card(
    tmp_path: Path, site: Site
) -> None:
    """The theme alone, around one page: that is all that decides it."""
    theme = Path(shutil.copytree(THEME, tmp_path / "theme", ignore=ASSETS))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A page\n\nIts text.\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: A guide\nsite_description: About it.\n"
        'site_url: !ENV [SITE_URL, ""]\n'
        f"theme: {{name: material, custom_dir: {theme}, font: false}}\n"
    )
    build = [sys.executable, "-m", "mkdocs", "build", "-q"]
    for address in ("", "https://guide.example/here/"):
        environment = {**QUIET, "SITE_URL": address}
        subprocess.run(build, cwd=tmp_path, env=environment, check=True)
        html = (tmp_path / "site" / "index.html").read_text()
        head = BeautifulSoup(html, "lxml")
        whole = head.select('meta[property="og:url"], meta[property="og:image"]')
        shown = [meta["content"] for meta in whole]
        assert shown == ([address, f"{address}card.png"] if address else [])
        if address:
            assert (tmp_path / "site" / "card.png").is_file()
    if "SITE_URL" not in os.environ:
        assert not site.pages[0].html.select('meta[property="og:image"]')


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_picture_is_made_of_its_drawing(name: str) -> None:
    draw, width, height = DRAWINGS[name]
    png = (THEME / name).read_bytes()
    assert size_of(png) == (width, height)
    drawn = source_of(png) == digest(draw())
    assert drawn, f"{name} is of another drawing: run 'python web/card.py'"


ABOUT = "A GPT in pure Python, and every line of it explained."
ASSETS = shutil.ignore_patterns("assets", "about.html", "edition.html")
