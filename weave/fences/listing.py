"""Listings of the package's source, and which of them explains each line."""

import re
from collections.abc import Iterator
from functools import cached_property
from html import escape
from pathlib import Path

from weave.errors import WeaveError
from weave.fences.base import Html, RenderContext, TypedFence, permalink_html
from weave.fences.python_block import MAX_COLUMNS
from weave.guide import Guide, cached_per_guide
from weave.markdown_text import strip_markup
from weave.results import RunResults
from weave.source_symbols import SourceSpan, dedent_by_first_line, parse_source


class Listing(TypedFence):
    """Lines of source, by the name of what they define.

    The first line is `module:name`, `module:first..last` or `folder/file.c:name`. Below
    it, `> line` highlights a line, and `? title` folds the listing under a title.
    """

    language = "source"

    @property
    def source_reference(self) -> str:
        """The lines to list: `module:name`, or a range of names."""
        return self.fence.body[0].strip() if self.fence.body else ""

    def source_span(self, guide: Guide) -> SourceSpan:
        """Return the listed lines of source."""
        return self.find_source(guide, self.source_reference)

    def highlighted_file_lines(self, guide: Guide) -> list[int]:
        """Return the numbers in the file of the lines to highlight, which the fence quotes."""
        span, highlighted = self.source_span(guide), []
        for body_line, line in enumerate(self.fence.body[1:], 2):
            if line == f"? {self.fold_title}":
                continue
            if not line.startswith("> "):
                raise self.error(
                    "expected '> ' and a line to highlight, or one '? ' and a title, "
                    f"got {line!r}",
                    body_line,
                )
            quoted = line[2:].strip()
            lines = zip(span.line_numbers, map(str.strip, span.lines))
            numbers = [number for number, text in lines if text == quoted]
            if len(numbers) != 1:
                raise self.error(
                    f"expected one line {quoted!r} in {self.source_reference}, got "
                    f"{len(numbers)}: quote a whole line that occurs once",
                    body_line,
                )
            highlighted += numbers
        return highlighted

    @property
    def fold_title(self) -> str:
        """The title under which the listing is folded, or "" if it is not."""
        titles = [line[2:] for line in self.fence.body if line.startswith("? ")]
        return titles[0].strip() if titles else ""

    @cached_property
    def anchor(self) -> str:
        """The id in the page's HTML: the listed names, and `-2` if they recur."""
        listings = Listing.find_on_page(self.page)
        before = [other._anchor_words for other in listings[: listings.index(self)]]
        repeats = before.count(self._anchor_words)
        suffix = [str(repeats + 1)] if repeats else []
        return "-".join(["listing", *self._anchor_words, *suffix])

    @property
    def _anchor_words(self) -> list[str]:
        return re.findall(r"[a-z0-9]+", self.source_reference.partition(":")[2].lower())

    def check(self, guide: Guide, results: RunResults) -> Iterator[WeaveError]:
        """Yield errors for unknown names, quotes of absent lines, and wide lines."""
        span = self.source_span(guide)
        self.highlighted_file_lines(guide)
        for number, text in zip(span.line_numbers, dedent_by_first_line(span.lines)):
            if len(text) > MAX_COLUMNS:
                yield WeaveError(
                    f"{self.page.path} lists this line, so expected at most "
                    f"{MAX_COLUMNS} columns, got {len(text)}: break it",
                    span.path,
                    number,
                )

    def render(self, context: RenderContext) -> list[str]:
        """Return the lines with their numbers, below a caption that links to the file."""
        guide, span = context.guide, self.source_span(context.guide)
        file = parse_source(span.path, guide.read_text(span.path))
        definitions = file.definitions_by_line.items()
        explaining = explaining_listings(guide)[span.path, span.first]
        highlighted = self.highlighted_file_lines(guide)
        line_positions = " ".join(str(n - span.first + 1) for n in highlighted)
        language = f'{file.language} linenums="{span.first}"'
        language += f' hl_lines="{line_positions}"' if line_positions else ""
        caption = context.link_to_source(span)
        title = search_attribute = ""
        if explaining is not self:  # the search leads to the listing that explains it
            search_attribute = " data-search-exclude"
        elif names := [n for at, n in definitions if at in span.line_numbers]:
            # The search takes this for a title; the page's outline leaves it out.
            title = (
                f'<h6 role="none" class="names" id="{self.anchor}-code">'
                f"{escape(', '.join(names))}</h6>"
            )
        if explaining.page.path != self.page.path:
            url = context.url_to(explaining.page.path, explaining.anchor)
            page = escape(strip_markup(explaining.page.title()))
            caption += f', explained in <a href="{url}">{page}</a>'
        opening = (
            f'<figure class="listing" id="{self.anchor}"{search_attribute}>'
            f"<figcaption>{caption}</figcaption>{title}{permalink_html(self.anchor)}"
        )
        closing = "</figure>"
        if self.fold_title:
            summary = f"<summary>{escape(self.fold_title)}</summary>"
            opening = f'<details class="dig">{summary}{opening}'
            closing += "</details>"
        lines = dedent_by_first_line(span.lines)
        return context.wrap_code(opening, language, lines, closing)

    def link_from(self, context: RenderContext) -> Html:
        """Return a link to the listing; its text is the title of the listing's page."""
        title = escape(context.guide.numbered_title(self.page.path))
        url = context.url_to(self.page.path, self.anchor)
        return f'<a class="listing-link" href="{url}">{title}</a>'

    @classmethod
    def check_completeness(cls, guide: Guide) -> Iterator[WeaveError]:
        """Yield errors for lines of the package that no page lists."""
        listings = explaining_listings(guide)
        for source in guide.package_source_paths:
            lines = enumerate(guide.read_lines(source), 1)
            missing = [n for n, x in lines if x.strip() and (source, n) not in listings]
            if missing and not guide.waiver_reason(source):
                yield WeaveError(
                    f"{len(missing)} lines of this file are on no page, this first: add "
                    "a 'source' fence",
                    source,
                    missing[0],
                )


@cached_per_guide
def explaining_listings(guide: Guide) -> dict[tuple[Path, int], Listing]:
    """Return the first listing in the guide of each line, by path and line number."""
    listings: dict[tuple[Path, int], Listing] = {}
    for listing in Listing.find_in_guide(guide):
        span = listing.source_span(guide)
        for line in span.line_numbers:
            listings.setdefault((span.path, line), listing)
    return listings
