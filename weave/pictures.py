"""What a page shows besides words and code: formulas, pictures and widgets, as HTML."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from weave import derivatives
from weave.bundle import edition
from weave.draw import Drawer, DrawingError
from weave.figures import for_page
from weave.guide import Guide, Listing, link
from weave.page import Fence, Page
from weave.plots import plot_spec
from weave.reference import To, framed
from weave.widgets import about, read_widget, result_of


class Pictures:
    """Draws what the fences of one page ask for; `to` gives the address of a place.

    Whatever cannot be drawn raises WeaveError; where nothing is there to draw with,
    what was to be drawn stands in the page as text.
    """

    def __init__(self, guide: Guide, page: Page, drawer: Drawer, to: To) -> None:
        self.guide, self.page, self.drawer, self.to = guide, page, drawer, to
        self.edition = edition(guide.root)
        self.dressed: set[str] = set()  # the widgets whose stylesheet is linked

    def formula(self, latex: str, display: bool, line: int) -> str:
        """Typeset a formula, in a line or by itself."""
        math = self._draw(line, "math", latex=latex, display=display)
        if math is None:
            return f"<code>{escape(latex)}</code>"
        return f'<div class="formula" tabindex="0">{math}</div>' if display else math

    def diagram(self, fence: Fence) -> str:
        """Draw a diagram, with its text below it."""
        source = fence.text
        svg = self._draw(fence.line, "mermaid", source=source)
        if svg is None:
            return f'<pre class="diagram-source"><code>{escape(source)}</code></pre>'
        return (
            f'<figure class="diagram">{framed(svg)}'
            "<details><summary>The same as text</summary>"
            f'<pre class="diagram-source"><code>{escape(source)}</code></pre></details>'
            "</figure>"
        )

    def plot(self, fence: Fence) -> str:
        """Draw series of numbers; the caption leads to their file."""
        spec = plot_spec(self.guide.root, self.page, fence)
        svg = self._draw(fence.line, "plot", spec=spec.drawing)
        title, data = escape(spec.drawing["title"]), f"docs/data/{spec.path.name}"
        there = self.to(spec.path)
        caption = (
            f'<figcaption>{title} (<a href="{there}" download>data</a>)</figcaption>'
        )
        picture = svg or f"<p>The data lies in <code>{escape(data)}</code>.</p>"
        return f'<figure class="plot">{framed(picture)}{caption}</figure>'

    def figure(self, fence: Fence) -> str:
        """Show what a cell of a lab has drawn."""
        place = self.page.fences.index(fence)
        caption = escape(fence.body[0])
        svg = for_page("\n".join(fence.body[1:]), place)
        svg = svg.replace("<svg ", f'<svg role="img" aria-label="{caption}" ', 1)
        caption = f"<figcaption>{caption}</figcaption>"
        return f'<figure class="plot lab">{framed(svg)}{caption}</figure>'

    def widget(self, fence: Fence) -> str:
        """Draw the first picture of a widget, with all that it needs to come alive."""
        widget = read_widget(self.page, fence)
        result = result_of(self.guide.root, self.page, fence)
        given = {"parameters": widget.parameters, "result": result}
        shown, home = given, self._home_of(fence, result)
        if home:
            # Data are left alone; in the picture, links are as the builder wants them.
            title = self.guide.place(home.page)
            path = link(self.page.path, home.page, finished=True)
            given = {
                **given,
                "home": {"href": f"{path}#{home.anchor}", "title": title},
            }
            href = self.to(home.page, home.anchor)
            shown = {**given, "home": {"href": href, "title": title}}
        picture = self._draw(fence.line, "widget", name=widget.name, given=shown)
        if picture is None:
            return "<p>Here stands a picture that needs the built web assets.</p>"
        data = json.dumps(given, separators=(",", ":")).replace("<", "\\u003c")
        return (
            f"{self._stylesheet(widget.name)}"
            f'<figure class="widget {widget.name}" data-widget="{widget.name}" '
            f'data-edition="{self.edition}" data-search-exclude '
            f'aria-label="{escape(about(self.guide.root, widget), quote=True)}">'
            f'<div class="stage">{picture}</div>'
            '<p class="state" role="status"></p>'
            f'<script type="application/json">{data}</script></figure>'
        )

    def derivatives(self, fence: Fence) -> str:
        """Typeset derivatives that are stated as Python, a row each."""
        rows = ""
        try:
            for derivative in derivatives.read(fence.body, fence.line + 1):
                for left, right in derivatives.latex(derivative):
                    sides = f"{left} = {right}"
                    rows += (
                        f"<tr><td>{self.formula(sides, False, fence.line)}</td></tr>"
                    )
        except (ValueError, SyntaxError) as error:
            raise self.page.error(str(error), fence.line) from None
        return framed(f'<table class="derivatives"><tbody>{rows}</tbody></table>')

    def _home_of(self, fence: Fence, result: Any) -> Listing | None:
        """Return where the line that a widget's result names is explained."""
        line = result.get("source_line") if isinstance(result, dict) else None
        if line is None:
            return None
        place = (Path(line["path"]), line["number"])
        if place not in self.guide.homes:
            message = f"no page explains line {place[1]} of {place[0]}"
            raise self.page.error(message, fence.line)
        return self.guide.homes[place]

    def _stylesheet(self, widget: str) -> str:
        """Link the stylesheet of a widget, once on a page."""
        if widget in self.dressed or not self.guide.has_file(
            f"web/widgets/{widget}.css"
        ):
            return ""
        self.dressed.add(widget)
        there = self.to(Path("docs", "assets", "widgets", f"{widget}.css"))
        return f'<link rel="stylesheet" href="{there}">'

    def _draw(self, line: int, kind: str, **request: object) -> str | None:
        try:
            return self.drawer.draw(kind, **request)
        except DrawingError as error:
            raise self.page.error(f"cannot be drawn: {error}", line) from None
