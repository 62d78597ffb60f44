"""The built HTML, CSS and JavaScript load nothing from another origin."""

import re

from tests.promises.site import Site

# What makes a browser fetch; a link that a reader may follow is not among them.
FETCHING_ATTRIBUTES_XPATH = (
    "//@src | //@srcset | //link/@href | //object/@data | //form/@action"
    " | //use/@href | //image/@href"
)
UNFETCHED_LINK_RELS = {"canonical", "prev", "next", "alternate"}
CSS_FETCH = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
OTHER_ORIGIN = re.compile(r"^\s*(?:[a-z][a-z+.-]*:)?//", re.IGNORECASE)
HOST_IN_SCRIPT = re.compile(r"//([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?![^\s/\"'`)<>\\]*\()")
# Addresses in scripts, and why none is asked; the pages' policy would forbid it anyway.
UNREQUESTED_HOSTS = {
    "www.w3.org": "in the names of SVG, MathML and HTML, which are no addresses",
    "unpkg.com": "asked only for elements of class 'mermaid': diagrams are drawn already",
    "api.github.com": "asked only for an element that no page has",
    "clipboardjs.com": "in a comment on a licence",
    "lunrjs.com": "in a comment on a licence",
    "bit.ly": "in a comment on a licence",
    "tartarus.org": "in a comment on a licence",
}


def test_pages_load_nothing_from_other_origins(site: Site) -> None:
    for page in site.pages:
        for address in page.tree.xpath(FETCHING_ATTRIBUTES_XPATH):
            rel = set(address.getparent().get("rel", "").split())
            if not UNFETCHED_LINK_RELS & rel:
                assert not OTHER_ORIGIN.match(address), f"{page.file}: {address}"


def test_stylesheets_load_nothing_from_other_origins(site: Site) -> None:
    styles = [f.read_text("utf-8") for f in site.folder.rglob("*.css")]
    for page in site.pages:
        styles += page.tree.xpath("//style/text() | //@style")
    assert styles
    for style in styles:
        for fetched in CSS_FETCH.findall(style):
            assert not OTHER_ORIGIN.match("".join(fetched)), fetched


def test_scripts_name_no_host_that_they_could_ask(site: Site) -> None:
    # All but the stemmers for other languages, which nothing loads
    texts = [text for name, text in site.scripts() if "/javascripts/lunr/" not in name]
    assert texts
    for page in site.pages:
        texts += page.tree.xpath("//script/text()")
    hosts = {found for script in texts for found in HOST_IN_SCRIPT.findall(script)}
    assert not hosts - UNREQUESTED_HOSTS.keys()
