"""Every listing of the built site is the source that its caption names."""

from __future__ import annotations

import importlib
import inspect
import re

import lxml.html
from bs4 import Tag

from tests.promises.site import ROOT, Site
from weave.guide import Guide
from weave.render import dedent

CAPTION = re.compile(r"(\S+\.py), lines? (\d+)(?:–(\d+))?")


def lines_named_by(figure: Tag) -> tuple[list[str], int]:
    """Return the lines of the file that a caption names, and the number of the first."""
    caption = figure.select_one("figcaption")
    assert caption is not None
    match = CAPTION.match(caption.get_text())
    assert match, caption.get_text()
    first, last = int(match[2]), int(match[3] or match[2])
    text = (ROOT / match[1]).read_text(encoding="utf-8").splitlines()
    return text[first - 1 : last], first


def test_a_listing_shows_the_lines_that_its_caption_names(site: Site) -> None:
    compared = 0
    for page in site.pages:
        for figure in page.article.select("figure.listing"):
            lines, first = lines_named_by(figure)
            code = figure.select_one("pre code")
            assert code is not None
            assert code.get_text().splitlines() == dedent(tuple(lines))
            gutter = code.select("[data-linenos]")
            numbers = [int(str(n["data-linenos"])) for n in gutter]
            assert numbers == list(range(first, first + len(lines)))
            compared += 1
    assert compared


def test_emphasised_lines_are_those_whose_text_the_author_gave(
    site: Site, guide: Guide
) -> None:
    for page in site.pages:
        figures = page.article.select("figure.listing")
        fences = [f for f in page.source.fences if f.language == "source"]
        for figure, fence in zip(figures, fences, strict=True):
            shown = [line.get_text().strip() for line in figure.select(".hll")]
            assert sorted(shown) == sorted(s[2:].strip() for s in fence.body[1:])


def test_a_symbol_is_found_where_python_itself_finds_it(guide: Guide) -> None:
    compared = 0
    for listings in guide.listings.values():
        for listing in listings:
            module, _, names = listing.symbols.partition(":")
            start, _, end = names.partition("..")
            found: object = importlib.import_module(module)
            for part in (end or start).split(".") if names else []:
                found = inspect.getattr_static(found, part, None)
            found = getattr(found, "__func__", found)
            if not (inspect.isfunction(found) or inspect.isclass(found)):
                continue
            if found.__module__ != module:
                continue  # a name that this module imports
            code, first = inspect.getsourcelines(found)
            assert listing.span.last == first + len(code) - 1, listing.symbols
            if not end:
                assert list(listing.span.lines)[-len(code) :] == [
                    line.rstrip("\n") for line in code
                ]
            compared += 1
    assert compared


def test_source_pages_show_their_whole_file(site: Site, guide: Guide) -> None:
    shown = {}
    for page in site.pages:
        for fence in page.source.fences:
            if fence.language == "source-page":
                # Not BeautifulSoup, which shortens white space outside <pre>.
                tree = lxml.html.fromstring(page.file.read_text(encoding="utf-8"))
                rows = tree.xpath('//div[@class="row"]/code')
                lines = ["".join(row.itertext()) for row in rows]
                shown[fence.body[0]] = [line if line.strip() else "" for line in lines]
    files = [*guide.sources, *guide.programs]
    assert shown == {path.as_posix(): guide.lines(path) for path in files}


def test_a_listing_and_its_source_page_link_to_each_other(site: Site) -> None:
    folder = site.folder
    for page in site.pages:
        for figure in page.article.select("figure.listing"):
            link = figure.select_one("figcaption a")
            assert link is not None, page.source.path
            target, _, anchor = str(link["href"]).partition("#")
            there = (page.file.parent / target / "index.html").resolve()
            source = next(p for p in site.pages if p.file.resolve() == there)
            assert source.html.find(id=anchor), f"{there} has no {anchor}"
            homes = [str(a["href"]) for a in source.article.select("a.home")]
            assert homes, f"{there.relative_to(folder)} leads back to no chapter"
