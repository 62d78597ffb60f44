"""Every link and anchor of the built site resolves, under both builders."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html

from tests.marks import nightly
from tests.promises.site import Site
from weave.guide import Guide


def find_broken_links(folder: Path, within: str = "html") -> list[str]:
    """Return each link within an element that leads to a missing file or anchor."""
    pages = {
        file.resolve(): html.fromstring(file.read_text("utf-8"))
        for file in folder.rglob("*.html")
    }
    ids = {
        file: set(page.xpath("//@id")) | set(page.xpath("//a/@name"))
        for file, page in pages.items()
    }
    broken = []
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # its links are absolute, from wherever it is shown
        names = (f"//{within}//{name}" for name in ("a", "link", "script", "img"))
        for element in page.xpath(" | ".join(names)):
            address = element.get("href") or element.get("src")
            if not address or urlsplit(address).scheme:
                continue
            path, anchor = urlsplit(address).path, unquote(urlsplit(address).fragment)
            target = (file.parent / unquote(path)).resolve() if path else file
            if target.is_dir():
                target /= "index.html"
            place = f"{file.relative_to(folder.resolve())}: {address}"
            if not target.is_file():
                broken.append(f"{place} leads nowhere")
            elif anchor and anchor not in ids.get(target, {anchor}):
                broken.append(f"{place} has no such anchor")
    return broken


def test_every_link_and_anchor_resolves(site: Site) -> None:
    assert find_broken_links(site.folder) == []


@nightly
def test_every_link_and_anchor_resolves_under_zensical(zensical_site: Site) -> None:
    # Around the article its theme links by absolute addresses, from SITE_URL.
    assert find_broken_links(zensical_site.folder, within="article") == []


def test_find_broken_links_reports_missing_files_and_anchors(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<a href="missing/">x</a> <a href="#nowhere">y</a> <a id="here" href="#here">z</a>'
    )
    assert len(find_broken_links(tmp_path)) == 2


def test_no_page_uses_an_id_twice(site: Site) -> None:
    for page in site.pages:
        ids = page.tree.xpath("//@id")
        assert {name for name, count in Counter(ids).items() if count > 1} == set()


def test_last_link_of_each_section_leads_to_the_next_section(
    site: Site, guide: Guide
) -> None:
    pages = {page.source.path: page for page in site.pages}
    chapters = [
        Path("docs", path)
        for path, section in guide.navigation.items()
        if section.step_title.startswith("Step")
    ]
    for here, after in pairwise(chapters):
        last = pages[here].article.select("p a[href]:not(.headerlink)")[-1]
        there = (pages[here].file.parent / str(last["href"]) / "index.html").resolve()
        assert there == pages[after].file.resolve(), here
