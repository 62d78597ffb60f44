"""Every listing of the built site is the source that its caption names."""

import importlib
import inspect
import re
from pathlib import Path

import lxml.html
from bs4 import Tag

from microgpt import Value
from tests.promises.site import ROOT, Site
from weave.guide import Guide
from weave.kinds.block import LIBRARIES
from weave.kinds.listing import Listing, homes
from weave.source import dedent

CAPTION = re.compile(r"(\S+\.(?:c|py)), lines? (\d+)(?:–(\d+))?")


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
            told = [line[2:].strip() for line in fence.body if line.startswith("> ")]
            assert sorted(shown) == sorted(told)


def test_a_symbol_is_found_where_python_itself_finds_it(guide: Guide) -> None:
    compared = 0
    for page in guide.pages.values():
        for listing in Listing.on(page):
            module, _, names = listing.symbols.partition(":")
            start, _, end = names.partition("..")
            if "/" in module:
                continue  # a file in C
            try:
                found: object = importlib.import_module(module)
            except ModuleNotFoundError as error:
                if error.name not in {*LIBRARIES, "c"}:  # which need not be there
                    raise
                continue
            for part in (end or start).split(".") if names else []:
                found = inspect.getattr_static(found, part, None)
            found = getattr(found, "__func__", found)
            if not (inspect.isfunction(found) or inspect.isclass(found)):
                continue
            if found.__module__ != module:
                continue  # a name that this module imports
            if found.__name__ != (end or start).rpartition(".")[2]:
                continue  # another name for it
            code, first = inspect.getsourcelines(found)
            span = listing.span(guide)
            assert span.last == first + len(code) - 1, listing.symbols
            if not end:
                assert list(span.lines)[-len(code) :] == [
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
                assert tree.xpath("//article//hr") == [], "front matter is shown"
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
            assert source.article.find(id=anchor), f"{there} has no {anchor}"
            homes = [str(a["href"]) for a in source.article.select("a.home")]
            assert homes, f"{there.relative_to(folder)} leads back to no chapter"


def test_each_line_of_a_source_page_says_where_it_is_explained_or_why_not(
    site: Site, guide: Guide
) -> None:
    for page in site.pages:
        rows = page.article.select(".source-page .row")
        if not rows or not page.source.fences[0].body[0].startswith("microgpt/"):
            continue
        reason = guide.options["waived"].get(page.source.fences[0].body[0])
        if reason:
            assert f"No page explains these lines: {reason}." in page.article.get_text()
        else:
            assert rows[0].select_one(".home"), page.source.path


def test_a_name_on_a_source_page_is_an_anchor_of_the_line_that_defines_it(
    site: Site,
) -> None:
    found = {}
    for page in site.pages:
        for name in page.article.select(".source-page code[id]"):
            row = name.parent
            assert row is not None
            number = row.select_one(".number")
            assert number is not None and number["href"] == f"#{name['id']}"
            last = str(name["id"]).rpartition(".")[2]
            in_c = rf"^typedef struct|^\w.*\b{last}\("
            assert re.search(rf"(def|class) {last}\b|{in_c}", name.get_text())
            found[page.source.title().strip("`"), str(name["id"])] = row["id"]
    value = inspect.getsourcelines(Value.backward)[1]
    assert found["microgpt/autograd.py", "Value.backward"] == f"L{value}"


def test_a_home_leads_to_the_listing_of_its_line(site: Site, guide: Guide) -> None:
    compared = 0
    for page in site.pages:
        for fence in page.source.fences:
            if fence.language != "source-page":
                continue
            for link in page.article.select(".row a.home"):
                row = link.parent
                assert row is not None
                home = homes(guide)[Path(fence.body[0]), int(str(row["id"])[1:])]
                target, _, anchor = str(link["href"]).partition("#")
                there = (page.file.parent / target / "index.html").resolve()
                explained = next(p for p in site.pages if p.file.resolve() == there)
                assert explained.source.path == home.page.path
                figure = explained.article.find(id=anchor)
                assert isinstance(figure, Tag)
                lines, first = lines_named_by(figure)
                assert first <= int(str(row["id"])[1:]) < first + len(lines)
                compared += 1
    assert compared


def test_what_stands_above_a_page_is_its_place(site: Site, guide: Guide) -> None:
    steps: dict[str, list[str]] = {}
    for path, section in guide.sections.items():
        steps.setdefault(section.step, []).append(f"docs/{path}")
    for page in site.pages:
        for where in page.article.select("p.where"):
            path = page.source.path.as_posix()
            step = next(s for s, paths in steps.items() if path in paths)
            number, count = steps[step].index(path) + 1, len(steps[step])
            said = " ".join(where.get_text().split())
            assert said == f"{step} section {number} of {count} notebook"
        for link in page.article.select("nav.so-far a"):
            target, _, anchor = str(link["href"]).partition("#")
            there = (page.file.parent / target / "index.html").resolve()
            earlier = next(p for p in site.pages if p.file.resolve() == there)
            listings = Listing.on(earlier.source)
            assert anchor in [x.anchor for x in listings if x.names == link.get_text()]


def test_a_difference_is_that_of_the_lines_its_caption_names(site: Site) -> None:
    said = re.compile(
        r"From (\S+), lines? (\d+)(?:–(\d+))?, to (\S+), lines? (\d+)(?:–(\d+))?: "
        r"(\d+) lines? removed, (\d+) added"
    )
    one_sided = re.compile(
        r"(New in|Gone from) (\S+), lines? (\d+)(?:–(\d+))?: "
        r"(\d+) lines? (?:added|removed)"
    )
    compared = 0
    for page in site.pages:
        for figure in page.article.select("figure.changes"):
            caption = figure.select_one("figcaption")
            diff = figure.select_one("pre code")
            assert caption is not None and diff is not None
            if match := one_sided.fullmatch(caption.get_text()):
                lines = lines_of(*match.group(2, 3, 4))
                sign = "+" if match[1] == "New in" else "-"
                shown = diff.get_text().splitlines()
                assert shown == [f"{sign}{line}" for line in lines]
                assert len(shown) == int(match[5])
                continue
            match = said.fullmatch(caption.get_text())
            assert match, caption.get_text()
            old, new = (lines_of(*match.group(n, n + 1, n + 2)) for n in (1, 4))
            shown = diff.get_text().splitlines()
            gone = [line[1:] for line in shown if line.startswith("-")]
            come = [line[1:] for line in shown if line.startswith("+")]
            assert (len(gone), len(come)) == (int(match[7]), int(match[8]))
            assert apply_hunks(old, shown) == new
            compared += 1
    assert compared


def lines_of(path: str, first: str, last: str | None) -> list[str]:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    return dedent(tuple(lines[int(first) - 1 : int(last or first)]))


def apply_hunks(old: list[str], diff: list[str]) -> list[str]:
    """Return what a unified diff makes of lines; each line it keeps must be there."""
    new: list[str] = []
    at = 0
    for line in diff:
        if hunk := re.match(r"@@ -(\d+)(?:,(\d+))? ", line):
            start = int(hunk[1]) - (hunk[2] != "0")
            new += old[at:start]
            at = start
        elif line.startswith("+"):
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            new += [] if line.startswith("-") else [old[at]]
            at += 1
    return new + old[at:]
