"""The built HTML, CSS and JavaScript load nothing from another origin."""

import re

from tests.promises.site import Site

# What makes a browser fetch; a link that a reader may follow is not among them.
FETCHING_ATTRIBUTES = " | ".join(
    f"//{attribute}"
    for attribute in (
        *("script/@src", "link/@href", "img/@src", "img/@srcset", "source/@src"),
        *("iframe/@src", "video/@src", "audio/@src", "object/@data", "form/@action"),
        *("use/@href", "image/@href"),
    )
)
FETCHED_BY_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
UNFETCHED_LINK_TYPES = {"canonical", "prev", "next", "alternate"}
OTHER_ORIGIN = re.compile(r"^\s*(?:[a-z][a-z+.-]*:)?//", re.IGNORECASE)
HOST = re.compile(r"//([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?![^\s/\"'`)<>\\]*\()")
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
# Stemmers for languages other than the guide's, which nothing loads.
UNUSED_SCRIPTS = "assets/javascripts/lunr/"


def test_html_elements_load_nothing_from_other_origins(site: Site) -> None:
    for page in site.pages:
        for address in page.tree.xpath(FETCHING_ATTRIBUTES):
            rel = set(address.getparent().get("rel", "").split())
            elsewhere = OTHER_ORIGIN.match(address) and not UNFETCHED_LINK_TYPES & rel
            assert not elsewhere, f"{page.file}: {address}"


def test_stylesheets_load_nothing_from_other_origins(site: Site) -> None:
    styles = [f.read_text("utf-8") for f in site.folder.rglob("*.css")]
    for page in site.pages:
        styles += page.tree.xpath("//style/text() | //@style")
    assert styles
    for style in styles:
        for fetched in FETCHED_BY_STYLE.findall(style):
            assert not OTHER_ORIGIN.match("".join(fetched)), fetched


def test_scripts_name_no_other_hosts_except_unrequested_ones(site: Site) -> None:
    texts = [text for name, text in site.scripts() if UNUSED_SCRIPTS not in name]
    assert texts
    for page in site.pages:
        texts += page.tree.xpath("//script/text()")
    hosts = {found for script in texts for found in HOST.findall(script)}
    assert not hosts - UNREQUESTED_HOSTS.keys()
