"""Every link and anchor of the built site resolves, under both builders."""

from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html

from tests.built_site import Site
from tests.marks import nightly


def find_broken_links(folder: Path, within: str = "html") -> list[str]:
    """Return each link within an element that leads to a missing file or anchor."""
    files = folder.resolve().rglob("*.html")
    pages = {file: html.fromstring(file.read_text("utf-8")) for file in files}
    ids = {f: {*page.xpath("//@id | //a/@name")} for f, page in pages.items()}
    broken = []
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # its links are absolute, from wherever it is shown
        names = (f"//{within}//{name}" for name in ("a/@href", "link/@href", "@src"))
        for address in page.xpath(" | ".join(names)):
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
def test_every_link_resolves_under_zensical(zensical_site: Site) -> None:
    # Around the article its theme links by absolute addresses, from SITE_URL.
    assert find_broken_links(zensical_site.folder, within="article") == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    links = '<a href="missing/"></a> <a href="#missing"></a> <a id="x" href="#x"></a>'
    (tmp_path / "index.html").write_text(links)
    assert len(find_broken_links(tmp_path)) == 2


def test_no_page_uses_an_id_twice(site: Site) -> None:
    for page in site.pages:
        ids = Counter(page.tree.xpath("//@id"))
        assert [name for name, count in ids.items() if count > 1] == []
