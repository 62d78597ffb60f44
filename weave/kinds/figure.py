"""What a cell of a lab has drawn, below its caption."""

from collections.abc import Iterator
from html import escape

from weave.kinds.kind import Kind, View, framed
from weave.matplotlib_svg import adapt_svg_to_page


class Figure(Kind):
    """A drawing of matplotlib's; the first line of the fence is its caption."""

    language = "figure"

    def read(self) -> None:
        """Refuse a figure that no cell has drawn."""
        if not self.page.is_lab:
            raise self.error("only a cell of a lab draws a figure")

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield the caption; the rest was drawn."""
        yield self.line + 1, self.fence.body[0]

    def html(self, view: View) -> str:
        """Show the drawing in the colours of the page."""
        caption = escape(self.fence.body[0])
        place = self.page.fences.index(self.fence)
        svg = adapt_svg_to_page("\n".join(self.fence.body[1:]), place)
        svg = svg.replace("<svg ", f'<svg role="img" aria-label="{caption}" ', 1)
        caption = f"<figcaption>{caption}</figcaption>"
        return f'<figure class="still lab">{framed(svg)}{caption}</figure>'
