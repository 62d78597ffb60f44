"""Every listing of the built site is the source that its caption names."""

import inspect
import pkgutil
import re
from pathlib import Path

from bs4 import Tag

from tests.built_site import Site, SitePage
from tests.processes import ROOT
from weave.fences.listing import Listing
from weave.guide import Guide
from weave.source_symbols import dedent_by_first_line

LISTING_CAPTION = re.compile(r"(\S+\.(?:c|py)), lines? (\d+)(?:–(\d+))?")


def select_required(element: Tag, selector: str) -> Tag:
    """Return the first match of a selector; fail if there is none."""
    match = element.select_one(selector)
    assert match is not None, f"no {selector} in {element}"
    return match


def parse_caption(figure: Tag) -> re.Match[str]:
    text = select_required(figure, "figcaption").get_text()
    match = LISTING_CAPTION.match(text)
    assert match, text
    return match


def follow_link(site: Site, page: SitePage, link: Tag) -> tuple[SitePage, str]:
    """Return the page that a link on a page leads to, and the anchor there."""
    target, _, anchor = str(link["href"]).partition("#")
    there = (page.file.parent / target / "index.html").resolve()
    return next(p for p in site.pages if p.file.resolve() == there), anchor


def test_listing_shows_the_lines_of_its_caption(site: Site, guide: Guide) -> None:
    """A listing highlights the lines that its author chose, and links to its file."""
    compared = 0
    for page in site.pages:
        figures = page.article.select("figure.listing")
        fences = [f for f in page.source.fences if f.language == "source"]
        for figure, fence in zip(figures, fences, strict=True):
            caption, code = parse_caption(figure), select_required(figure, "pre code")
            first, last = int(caption[2]), int(caption[3] or caption[2])
            source_lines = (ROOT / caption[1]).read_text("utf-8").splitlines()
            lines = dedent_by_first_line(tuple(source_lines[first - 1 : last]))
            assert code.get_text().splitlines() == lines
            gutter = code.select("[data-linenos]")
            numbers = [int(str(n["data-linenos"])) for n in gutter]
            assert numbers == list(range(first, last + 1))
            highlighted = [hll.get_text().strip() for hll in figure.select(".hll")]
            expected = [line[2:].strip() for line in fence.body if line[:2] == "> "]
            assert sorted(highlighted) == sorted(expected)
            compared += 1
            if link := figure.select_one("figcaption a"):
                source, _ = follow_link(site, page, link)
                assert source.article.select("a.listing-link"), source.file
            else:
                files = [*guide.package_source_paths, *guide.step_program_paths]
                assert Path(caption[1]) not in files
    assert compared


def test_listing_ends_where_inspect_ends_its_symbol(guide: Guide) -> None:
    compared = 0
    for listing in Listing.find_in_guide(guide):
        module, _, names = listing.source_reference.partition(":")
        name = names.split("..")[-1]
        try:
            symbol = pkgutil.resolve_name(f"{module}:{name}")
        except (ValueError, ImportError, AttributeError):
            continue  # a C file, a module that needs a library, or a field of a class
        symbol = getattr(symbol, "__func__", symbol)
        itself = [getattr(symbol, x, "") for x in ("__module__", "__qualname__")]
        if itself == [module, name]:  # not a constant or an alias
            code, first = inspect.getsourcelines(symbol)
            assert listing.source_span(guide).last == first + len(code) - 1, name
            compared += 1
    assert compared > 100


def test_source_pages_show_and_link_whole_files(site: Site, guide: Guide) -> None:
    shown = {}
    for page in site.pages:
        for fence in page.source.fences:
            if fence.language != "source-page":
                continue
            path, links = fence.body[0], page.article.select(".row a.listing-link")
            # Not BeautifulSoup, which shortens white space outside <pre>.
            rows = page.tree.xpath('//div[@class="row"]/code')
            lines = ["".join(row.itertext()) for row in rows]
            shown[path] = [line if line.strip() else "" for line in lines]
            assert page.tree.xpath("//article//hr") == [], "front matter is shown"
            reason = guide.weave_settings["waived"].get(path)
            why = f"No page explains these lines: {reason}."
            assert not reason or why in page.article.get_text()
            assert links or reason or not path.startswith("microgpt/"), path
            for link in links:
                assert link.parent is not None
                number = int(str(link.parent["id"])[1:])
                explained, anchor = follow_link(site, page, link)
                figure = select_required(explained.article, f'[id="{anchor}"]')
                _, first, last = parse_caption(figure).groups()
                assert int(first) <= number <= int(last or first)
    files = [*guide.package_source_paths, *guide.step_program_paths]
    assert shown == {path.as_posix(): guide.read_lines(path) for path in files}
