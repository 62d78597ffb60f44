"""Whole files of the package and the programs, each line with where it is explained."""

from html import escape
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from weave.guide import Guide
from weave.kinds.kind import Kind, View
from weave.kinds.listing import home_link, homes, reason
from weave.source_symbols import parse_source


class SourcePage(Kind):
    """A whole file, by its path."""

    language = "source-page"

    def content(self, guide: Guide) -> Path:
        """Return the path of the file."""
        source = Path("".join(self.fence.body))
        if source not in [*guide.source_paths, *guide.program_paths]:
            raise self.error(f"{source} is no file to show")
        return source

    def html(self, view: View) -> str:
        """Show the file; each line has its number for an anchor.

        One that defines a name has the name, too: such a link holds when the lines
        above change. The search leads to where lines are explained, and here by the
        name of the file.
        """
        source = self.content(view.guide)
        text = view.guide.read_text(source)
        code = parse_source(source, text)
        lexer = get_lexer_by_name(code.language, stripnl=False)
        shown = highlight(text, lexer, HtmlFormatter(nowrap=True))
        rows, above = "", None
        for number, line in enumerate(shown.splitlines(), 1):
            home = homes(view.guide).get((source, number))
            label = home_link(view, home) if home and home is not above else ""
            above = home or above
            name = code.definitions_by_line.get(number, "")
            anchor = f' id="{name}"' if name else ""
            rows += (
                f'<div class="row" id="L{number}">'
                f'<a class="number" href="#{name or f"L{number}"}">{number}</a>'
                f"<code{anchor}>{line or ' '}</code>{label}</div>"
            )
        whole = f'<div class="source-page highlight" tabindex="0">{rows}</div>'
        if why := reason(view.guide, source):
            whole = f"<p>No page explains these lines: {escape(why)}.</p>{whole}"
        return f"<section data-search-exclude>{whole}</section>"
