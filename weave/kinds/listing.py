"""Listings of the package's source, and which of them explains each line."""

import re
from collections.abc import Iterator
from functools import cached_property
from html import escape
from pathlib import Path

from weave.corrections import Finding
from weave.errors import WeaveError
from weave.guide import Guide, cached_per_guide
from weave.kinds.block import WIDTH
from weave.kinds.kind import LINK, Kind, View, code
from weave.markdown_text import strip_markup
from weave.results import RunResults
from weave.source_symbols import SourceSpan, dedent, parse_source


class Listing(Kind):
    """Lines of source, named by a symbol, and those of them to stress.

    `module:name`, or `folder/file.c:name`; `> line` stresses a line, `? title` folds all.
    """

    language = "source"

    @property
    def symbols(self) -> str:
        """What it names: `module:name`, or a range of names."""
        return self.fence.body[0].strip() if self.fence.body else ""

    def span(self, guide: Guide) -> SourceSpan:
        """Return the lines that it shows."""
        return self.find(guide, self.symbols)

    def stressed(self, guide: Guide) -> list[int]:
        """Return the numbers of the lines to stress, which the fence gives as text."""
        span, found = self.span(guide), []
        for offset, line in enumerate(self.fence.body[1:], 2):
            text = line[2:].strip()
            same = [
                n for n, s in zip(span.line_numbers, span.lines) if s.strip() == text
            ]
            if not line.startswith("> ") and line != f"? {self.title}":
                what = "write '> ' and a line to stress it, or one '? ' and a title"
                raise self.error(what, offset)
            if line.startswith("> ") and len(same) != 1:
                what = f"{len(same)} lines of {self.symbols} read {text!r}, not one"
                raise self.error(what, offset)
            found += same if line.startswith("> ") else []
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

    def check(self, guide: Guide, results: RunResults) -> Iterator[Finding]:
        """Find what can't be shown: unknown names, and lines that are too long."""
        span = self.span(guide)
        self.stressed(guide)
        for number, text in zip(span.line_numbers, dedent(span.lines)):
            if len(text) > WIDTH:
                what = f"shown here with over {WIDTH} columns"
                yield WeaveError(what, span.path, number)

    def html(self, view: View) -> list[str]:
        """Show the lines, with their numbers and where they stand."""
        guide, span = view.guide, self.span(view.guide)
        file = parse_source(span.path, guide.read_text(span.path))
        home = homes(guide)[span.path, span.first]
        marked = " ".join(str(n - span.first + 1) for n in self.stressed(guide))
        options = f'linenums="{span.first}"'
        options += f' hl_lines="{marked}"' if marked else ""
        caption = f"{linked(view, span)}, {span.line_label}"
        title = searched = ""
        if home is not self:  # the search leads to where it is explained
            searched = " data-search-exclude"
        elif names := [
            n for at, n in file.definitions_by_line.items() if at in span.line_numbers
        ]:
            # To the search alone this is a title: of the page's outline it is no part.
            title = (
                f'<h6 role="none" class="names" id="{self.anchor}-code">'
                f"{escape(', '.join(names))}</h6>"
            )
        if home.page.path != self.page.path:
            there = view.to(home.page.path, home.anchor)
            page = escape(strip_markup(home.page.title()))
            caption += f', explained in <a href="{there}">{page}</a>'
        opening = (
            f'<figure class="listing" id="{self.anchor}"{searched}>'
            f"<figcaption>{caption}</figcaption>{title}{LINK.format(self.anchor)}"
        )
        closing = "</figure>"
        if self.title:
            dig = f'<details class="dig"><summary>{escape(self.title)}</summary>'
            opening, closing = dig + opening, f"{closing}</details>"
        shown = code(file.language, dedent(span.lines), options)
        return [view.stash(opening), *shown, view.stash(closing)]

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find lines of the package that no page explains."""
        for source in guide.source_paths:
            lines = [
                n for n, line in enumerate(guide.read_lines(source), 1) if line.strip()
            ]
            left = [n for n in lines if (source, n) not in homes(guide)]
            if left and not reason(guide, source):
                what = f"no page explains {len(left)} of its lines, first this"
                yield WeaveError(f"{what}: list them on one", source, left[0])


@cached_per_guide
def homes(guide: Guide) -> dict[tuple[Path, int], Listing]:
    """Return the listing that shows each line first: where it is explained."""
    found: dict[tuple[Path, int], Listing] = {}
    for listing in Listing.all(guide):
        span = listing.span(guide)
        for line in span.line_numbers:
            found.setdefault((span.path, line), listing)
    return found


def reason(guide: Guide, source: Path) -> str:
    """Return why no page explains a file, by `[tool.weave.waived]`; or nothing."""
    given: str = guide.weave_settings.get("waived", {}).get(source.as_posix(), "")
    return given


def home_link(view: View, home: Listing) -> str:
    """Return a link to where lines are explained, by the name of the page."""
    title = escape(view.guide.numbered_title(home.page.path))
    target = view.to(home.page.path, home.anchor)
    return f'<a class="home" href="{target}">{title}</a>'


def linked(view: View, span: SourceSpan) -> str:
    """Return the name of a file, as a link to the lines on its source page, if any."""
    name = f"<code>{span.path.as_posix()}</code>"
    if span.path not in [*view.guide.source_paths, *view.guide.program_paths]:
        return name
    page = view.guide.source_page_path(span.path)
    return f'<a href="{view.to(page, f"L{span.first}")}">{name}</a>'
