"""Figures that the cells of labs draw with matplotlib."""

from collections.abc import Iterator
from html import escape

from weave.fences.base import Html, RenderContext, TypedFence, make_scrollable
from weave.matplotlib_svg import adapt_svg_to_page


class LabFigure(TypedFence):
    """A drawing by a cell of a lab: the first line is its caption, the rest its SVG."""

    language = "figure"

    def validate(self) -> None:
        """Refuse a figure on a page that is not a lab."""
        if not self.page.is_lab:
            raise self.error(
                "only a cell of a lab draws a figure: use a 'picture' fence on a page"
            )

    def label_lines(self) -> Iterator[tuple[int, str]]:
        """Yield the caption: all other lines are the drawing."""
        yield self.line + 1, self.fence.body[0]

    def render(self, context: RenderContext) -> Html:
        """Return the drawing in the colours of the page, and its caption."""
        caption = escape(self.fence.body[0])
        index = self.page.fences.index(self.fence)
        svg = adapt_svg_to_page("\n".join(self.fence.body[1:]), index)
        svg = svg.replace("<svg ", f'<svg role="img" aria-label="{caption}" ', 1)
        caption = f"<figcaption>{caption}</figcaption>"
        return f'<figure class="drawing-figure lab-figure">{make_scrollable(svg)}{caption}</figure>'
