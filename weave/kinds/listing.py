"""Listings of the package's source, and which of them explains each line."""

import re
from collections.abc import Iterator
from functools import cached_property
from html import escape
from itertools import takewhile
from pathlib import Path

from weave.errors import WeaveError
from weave.findings import Finding, Results
from weave.guide import Guide, once
from weave.kinds.block import WIDTH
from weave.kinds.kind import LINK, Kind, View, code
from weave.source import Code, Span, UnknownSymbol, dedent, read
from weave.text import plain

SHOWN_AT_ONCE = 6  # names of "So far"; more would fill a phone before the page begins
ONE_FOLD = 3  # folded listings in a row become one fold


class Listing(Kind):
    """Lines of source, named by a symbol, and those of them to stress.

    `module:name`, or `folder/file.c:name`; `> line` stresses a line, `? title` folds all.
    """

    language = "source"
    what = "lines of the source"

    @property
    def symbols(self) -> str:
        """What it names: `module:name`, or a range of names."""
        return self.fence.body[0].strip() if self.fence.body else ""

    def span(self, guide: Guide) -> Span:
        """Return the lines that it shows."""
        try:
            return guide.find(self.symbols)
        except UnknownSymbol as error:
            raise self.error(str(error)) from None

    def stressed(self, guide: Guide) -> list[int]:
        """Return the numbers of the lines to stress, which the fence gives as text."""
        span, found = self.span(guide), []
        for offset, line in enumerate(self.fence.body[1:], 2):
            if line == f"? {self.title}":
                continue
            if not line.startswith("> "):
                what = "write '> ' and a line to stress it, or one '? ' and a title"
                raise self.error(what, offset)
            text = line[2:].strip()
            same = [i for i, s in enumerate(span.lines) if s.strip() == text]
            if len(same) != 1:
                what = f"{len(same)} lines of {self.symbols} read {text!r}, not one"
                raise self.error(what, offset)
            found.append(span.first + same[0])
        return found

    @property
    def title(self) -> str:
        """What a folded listing is opened by; nothing if it stands open."""
        titles = [line[2:] for line in self.fence.body if line.startswith("? ")]
        return titles[0].strip() if titles else ""

    @cached_property
    def anchor(self) -> str:
        """The id on the page: its symbols, and its place among those of one name."""
        here = Listing.on(self.page)
        above = [other._words for other in here[: here.index(self)]].count(self._words)
        number = [str(above + 1)] if above else []
        return "-".join(["listing", *self._words, *number])

    @property
    def _words(self) -> list[str]:
        return re.findall(r"[a-z0-9]+", self.symbols.partition(":")[2].lower())

    @property
    def names(self) -> str:
        """What it shows, in short: `Value.backward`, or `__neg__ … __rtruediv__`."""
        start, _, end = self.symbols.partition(":")[2].partition("..")
        if not end:
            return start or self.symbols
        if end.startswith(f"{start}."):
            return start
        return f"{start.rpartition('.')[2]} … {end.rpartition('.')[2]}"

    def defines(self, guide: Guide) -> bool:
        """Tell whether it begins with a function or a type, not with an import, say."""
        start = self.symbols.partition(":")[2].partition("..")[0]
        path = self.span(guide).path
        return start in read_file(guide, path).definitions.values()

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Find what can't be shown: unknown names, and lines that are too long."""
        span = self.span(guide)
        self.stressed(guide)
        indent = len(span.lines[0]) - len(span.lines[0].lstrip())
        for number, text in enumerate(span.lines, span.first):
            if len(text) - indent > WIDTH:
                what = f"shown here with over {WIDTH} columns"
                yield WeaveError(what, span.path, number)

    def html(self, view: View) -> list[str]:
        """Show the lines, with their numbers and where they stand."""
        guide, span = view.guide, self.span(view.guide)
        options = f'linenums="{span.first}"'
        if stressed := self.stressed(guide):
            marked = " ".join(str(n - span.first + 1) for n in stressed)
            options += f' hl_lines="{marked}"'
        caption = f"{linked(view, span)}, {span.where}"
        home = homes(guide)[span.path, span.first]
        title, searched = "", ""
        is_home = (home.page.path, home.line) == (self.page.path, self.line)
        named = read_file(guide, span.path).definitions
        names = [n for line, n in sorted(named.items()) if line in span.numbers]
        if not is_home:  # the search leads to where it is explained
            searched = " data-search-exclude"
        elif names:  # a title to the search alone: of the page's outline it is no part
            title = (
                f'<h6 role="none" class="names" id="{self.anchor}-code">'
                f"{escape(', '.join(names))}</h6>"
            )
        if home.page.path != self.page.path:
            there = view.to(home.page.path, home.anchor)
            page = escape(plain(home.page.title()))
            caption += f', explained in <a href="{there}">{page}</a>'
        opening = (
            f'<figure class="listing" id="{self.anchor}"{searched}>'
            f"<figcaption>{caption}</figcaption>{title}{LINK.format(self.anchor)}"
        )
        language = read_file(guide, span.path).language
        shown = code(language, dedent(span.lines), options)
        closing = "</figure>"
        if self.title:
            row, dig = self._row(), '<details class="dig"><summary>'
            opening = f"{dig}{escape(self.title)}</summary>{opening}"
            closing += "</details>"
            if len(row) >= ONE_FOLD and self is row[0]:
                opening = f"{dig}The code, in {len(row)} parts</summary>{opening}"
            if len(row) >= ONE_FOLD and self is row[-1]:
                closing += "</details>"
        return [view.stash(opening), *shown, view.stash(closing)]

    def _row(self) -> list["Listing"]:
        """Return the folded listings around it that only blank lines separate."""
        row: list[Listing] = []
        for each in filter(lambda each: each.title, Listing.on(self.page)):
            between = self.page.lines[row[-1].fence.end : each.line - 1] if row else []
            if any(map(str.strip, between)):
                if self in row:
                    break
                row = []
            row.append(each)
        return row

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find lines of the package that no page explains."""
        for source in guide.sources:
            if lines := waiting(guide, source):
                what = f"no page explains {len(lines)} of its lines, first this"
                yield WeaveError(f"{what}: list them on one", source, lines[0])


@once
def homes(guide: Guide) -> dict[tuple[Path, int], Listing]:
    """Return the listing that shows each line first: where it is explained."""
    found: dict[tuple[Path, int], Listing] = {}
    for listing in Listing.all(guide):
        span = listing.span(guide)
        for line in span.numbers:
            found.setdefault((span.path, line), listing)
    return found


def reason(guide: Guide, source: Path) -> str:
    """Return why no page explains a file, by `[tool.weave.waived]`; or nothing."""
    given: str = guide.options.get("waived", {}).get(source.as_posix(), "")
    return given


def written(guide: Guide, source: Path) -> list[int]:
    """Return the numbers of the lines of a file that are not blank."""
    return [n for n, line in enumerate(guide.lines(source), 1) if line.strip()]


def waiting(guide: Guide, source: Path) -> list[int]:
    """Return the numbers of the lines of the package that pages should explain."""
    lines = [] if reason(guide, source) else written(guide, source)
    return [n for n in lines if (source, n) not in homes(guide)]


def so_far(view: View) -> str:
    """Return links to what earlier pages of this step listed first, or nothing."""
    guide, here = view.guide, view.page.path
    section = guide.section(here)
    if section is None or not section.step.startswith("Step"):
        return ""
    links = []
    for path in takewhile(lambda path: path != here, guide.paths):
        other = guide.section(path)
        if other is None or other.step != section.step:
            continue
        for listing in Listing.on(guide.read(path)):
            span = listing.span(guide)
            first = homes(guide)[span.path, span.first] is listing
            if first and listing.defines(guide):
                target = view.to(path, listing.anchor)
                name = f"<code>{escape(listing.names)}</code>"
                links.append(f'<a href="{target}">{name}</a>')
    if not links:
        return ""
    shown = '<span aria-hidden="true"> · </span>'.join(links)
    if len(links) > SHOWN_AT_ONCE:
        summary = f"<summary>{len(links)} definitions</summary>"
        shown = f"<details>{summary}{shown}</details>"
    attributes = 'class="so-far" aria-label="So far" data-search-exclude'
    return view.stash(f"<nav {attributes}>{shown}</nav>")


def home_link(view: View, home: Listing) -> str:
    """Return a link to where lines are explained, by the name of the page."""
    title = escape(view.guide.place(home.page.path))
    target = view.to(home.page.path, home.anchor)
    return f'<a class="home" href="{target}">{title}</a>'


def linked(view: View, span: Span) -> str:
    """Return the name of a file, as a link to the lines on its source page, if any."""
    name = f"<code>{span.path.as_posix()}</code>"
    if span.path not in [*view.guide.sources, *view.guide.programs]:
        return name
    page = view.guide.source_page(span.path)
    return f'<a href="{view.to(page, f"L{span.first}")}">{name}</a>'


def read_file(guide: Guide, source: Path) -> Code:
    """Return what a file of the package or a program defines."""
    return read(source, guide.text(source))
