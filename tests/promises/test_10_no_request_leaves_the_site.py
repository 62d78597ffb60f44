"""The built HTML and CSS load nothing from another origin.

Their policy forbids that as well, to scripts, too: test_13 checks it.
"""

import re

from tests.built_site import Site

# Addresses that a browser fetches by itself, unlike those of links to follow
FETCHING_ATTRIBUTES_XPATH = (
    "//@src | //@srcset | //link/@href | //object/@data | //form/@action"
    " | //use/@href | //image/@href"
)
UNFETCHED_LINK_RELS = {"canonical", "prev", "next", "alternate"}
CSS_FETCH = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
OTHER_ORIGIN = re.compile(r"^\s*(?:[a-z][a-z+.-]*:)?//", re.IGNORECASE)


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
