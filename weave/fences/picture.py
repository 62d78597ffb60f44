"""Still pictures that Python draws when the site is built, from the package's numbers."""

import re
from collections.abc import Iterator

from weave.fences.base import RenderContext, TypedFence, markdown_paragraphs
from weave.guide import Guide


class PythonPicture(TypedFence):
    """A picture: the name of a function of `web/pictures/`, and below it a caption."""

    language = "picture"

    @property
    def function_name(self) -> str:
        """The name of the function that draws the picture."""
        return self.fence.body[0] if self.fence.body else ""

    @property
    def caption(self) -> str:
        """The Markdown below the picture, which screen readers read out too."""
        return " ".join(self.fence.body[1:]).strip()

    def validate(self) -> None:
        """Refuse a picture without a name or a caption."""
        if not re.fullmatch(r"[a-z_]+", self.function_name):
            raise self.error(
                "expected the name of a function of web/pictures/ on the first line, "
                f"got {self.function_name!r}"
            )
        if not self.caption:
            raise self.error(
                f"the picture {self.function_name!r} has no caption: say on the next line what "
                "it shows"
            )

    def prose_lines(self) -> Iterator[tuple[int, str]]:
        """Yield the caption."""
        yield from enumerate(self.fence.body[1:], self.line + 2)

    def resolve(self, guide: Guide) -> str:
        """Return the picture as SVG."""
        return str(self.query_python(guide, {"picture": self.function_name}))

    def render(self, context: RenderContext) -> list[str]:
        """Return the picture above its caption."""
        svg = self.resolve(context.guide)
        opening = f'<figure class="drawing-figure">{svg}<figcaption>'
        closing = context.stash_html("</figcaption></figure>")
        return markdown_paragraphs(context.stash_html(opening), self.caption, closing)
