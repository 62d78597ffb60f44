"""Whole files of the package and the programs, with links to where lines are explained."""

from html import escape
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from weave.fences.base import Html, RenderContext, TypedFence
from weave.fences.listing import explaining_listings
from weave.guide import Guide
from weave.source_symbols import parse_source


class SourcePage(TypedFence):
    """A whole source file, by its path."""

    language = "source-page"

    def resolve(self, guide: Guide) -> Path:
        """Return the path of the file, relative to the project."""
        path = Path("".join(self.fence.body))
        if path not in guide.shown_source_paths:
            raise self.error(
                "expected the path of a file of the package or of a program, got "
                f"{str(path)!r}"
            )
        return path

    def render(self, context: RenderContext) -> Html:
        """Return the file; each line has an anchor, `L12`.

        A line that defines a name has the name as an anchor, too: links to it hold when
        lines above come and go. The search leads to the pages that explain lines, and
        here only for the name of the file.
        """
        path = self.resolve(context.guide)
        text = context.guide.read_text(path)
        source = parse_source(path, text)
        lexer = get_lexer_by_name(source.language, stripnl=False)
        lines = highlight(text, lexer, HtmlFormatter(nowrap=True)).splitlines()
        rows, last_listing = "", None
        for number, line in enumerate(lines, 1):
            listing = explaining_listings(context.guide).get((path, number))
            label = ""
            if listing and listing is not last_listing:
                label, last_listing = listing.link_from(context), listing
            name = source.definitions_by_line.get(number, "")
            anchor = f' id="{name}"' if name else ""
            rows += (
                f'<div class="row" id="L{number}">'
                f'<a class="number" href="#{name or f"L{number}"}">{number}</a>'
                f"<code{anchor}>{line or ' '}</code>{label}</div>"
            )
        html = f'<div class="source-page highlight" tabindex="0">{rows}</div>'
        if reason := context.guide.waiver_reason(path):
            html = f"<p>No page explains these lines: {escape(reason)}.</p>{html}"
        return f"<section data-search-exclude>{html}</section>"
