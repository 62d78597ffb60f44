"""Titles, descriptions and cards that search engines and link previews show."""

import os
import shutil
from pathlib import Path
from typing import Any

from lxml import html
from PIL import Image

from link_preview import IMAGE_SIZE, PREVIEW_FILE, THEME_FOLDER, hash_html, preview_html
from tests.built_site import Site
from tests.marks import thorough
from tests.processes import run_python


def get_text(element: Any) -> str:
    return " ".join(element.text_content().split())


def get_meta_content(page: Any, name: str) -> str:
    """Return the content of the only meta element of that name."""
    (content,) = page.xpath("//head/meta[@name=$n or @property=$n]/@content", n=name)
    return str(content)


def test_page_description_is_its_first_paragraph(site: Site) -> None:
    for built in site.pages:
        page = html.fromstring(built.file.read_text("utf-8"))
        (heading,) = page.xpath("//h1")
        for mark in heading.xpath("*[@class='headerlink']"):
            mark.drop_tree()
        assert get_meta_content(page, "og:title") == get_text(heading)
        start = "following-sibling::p[not(@class) and not(preceding-sibling::h2)]"
        first = heading.xpath(start)[:1]
        if first and first[0].xpath(".//math"):  # typeset there, and LaTeX here
            continue
        default = "A GPT in pure Python, and every line of it explained."
        text = get_text(first[0]) if first else default
        assert get_meta_content(page, "description") == text, built.file
        assert get_meta_content(page, "og:description") == text, built.file


@thorough
def test_preview_card_has_urls_only_with_site_url(tmp_path: Path, site: Site) -> None:
    """The site with SITE_URL is a small one: a single page with the theme."""
    ignored = shutil.ignore_patterns("assets")
    theme = shutil.copytree(THEME_FOLDER, tmp_path / "theme", ignore=ignored)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A page\n\nIts text.\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: A guide\nsite_description: About it.\n"
        'site_url: !ENV [SITE_URL, ""]\n'
        f"theme: {{name: material, custom_dir: {theme}, font: false}}\n"
    )
    address = "https://guide.example/here/"
    run_python("-m", "mkdocs", "build", "-q", cwd=tmp_path, SITE_URL=address)
    page = html.fromstring((tmp_path / "site" / "index.html").read_text())
    assert get_meta_content(page, "og:url") == address
    assert get_meta_content(page, "og:image") == f"{address}card.png"
    assert (tmp_path / "site" / "card.png").is_file()
    if "SITE_URL" not in os.environ:
        names = "@property='og:url' or @property='og:image'"
        assert not site.pages[0].tree.xpath(f"//meta[{names}]")


@thorough
def test_preview_card_image_is_up_to_date_with_its_drawing() -> None:
    with Image.open(PREVIEW_FILE) as png:
        png.load()  # metadata may stand at the end of the file
        assert png.size == tuple(IMAGE_SIZE.values())
        is_up_to_date = png.info["Source"] == hash_html(preview_html())
    assert is_up_to_date, "card.png is outdated: run 'python web/link_preview.py'"
